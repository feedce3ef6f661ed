import { expect, test } from 'vitest'
import { type CheckSummary } from '../check.ts'
import type { CheckBundle } from '../grouping.ts'
import { firstCards } from './check-cards.tsx'

const group = (name: string, size: number): CheckBundle => ({
  key: name,
  name,
  checks: Array.from({ length: size }, (_, i): CheckSummary => ({
    id: `${name}-${i}`,
    name: `${name}-${i}`,
    type: 'http',
    canary_name: name,
  })),
})

test('only so many cards are drawn, whatever the number of groups', () => {
  const groups = Array.from({ length: 1000 }, (_, i) => group(`g${i}`, 10))
  const shown = firstCards(groups, 25)
  expect(shown.map(({ checks }) => checks.length)).toEqual([10, 10, 5])
  expect(firstCards(groups, 20_000).flatMap(({ checks }) => checks)).toHaveLength(10_000)
})
