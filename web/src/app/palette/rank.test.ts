import { expect, test } from 'vitest'
import { ranked } from './rank.ts'

const labels = (typed: string, ...all: string[]) =>
  ranked(
    all.map((label) => ({ label })),
    typed,
  ).map((item) => item.label)

test('the best answer comes first', () => {
  expect(labels('he', 'Catalog · Checks', 'Settings · Health Checks', 'Health')).toEqual([
    'Health',
    'Settings · Health Checks',
    'Catalog · Checks',
  ])
  expect(labels('set fl', 'Settings · Feature Flags', 'Flags')).toEqual(['Settings · Feature Flags'])
  expect(labels('', 'b', 'a')).toEqual(['b', 'a'])
  expect(labels('zzz', 'b', 'a')).toEqual([])
})
