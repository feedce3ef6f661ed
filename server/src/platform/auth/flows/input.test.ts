import { expect, test } from 'vitest'
import { flatten } from './input.ts'

test('nested and dotted names are the same field', () => {
  expect([
    ...flatten({
      method: 'profile',
      traits: { email: 'a@b.c', name: { first: 'A' } },
      'traits.name.last': 'B',
      ok: true,
      n: 1,
    }),
  ]).toEqual([
    ['method', 'profile'],
    ['traits.email', 'a@b.c'],
    ['traits.name.first', 'A'],
    ['traits.name.last', 'B'],
    ['ok', 'true'],
    ['n', '1'],
  ])
})

test.each([undefined, null, 'text', 5, true, [], [['a', 'b']], { a: null, b: undefined, c: ['x'] }])(
  '%j has no fields',
  (body) => {
    expect(flatten(body).size).toBe(0)
  },
)

test('what cannot be stored is left out or made whole, and there is an end to it', () => {
  expect(flatten({ a: 'x\0y' }).size).toBe(0)
  expect(flatten({ a: '\ud800' }).get('a')).toBe('\ufffd')
  expect(flatten(JSON.parse('{"__proto__":{"admin":"yes"}}')).get('__proto__.admin')).toBe('yes')
  expect(({} as Record<string, unknown>).admin).toBeUndefined()
  const deep = JSON.parse(`${'{"a":'.repeat(100)}"x"${'}'.repeat(100)}`)
  expect(flatten(deep).size).toBe(0)
  expect(flatten(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, 'x']))).size).toBe(100)
})
