import { expect, test } from 'vitest'
import { pendingChanges } from './pending-changes.ts'

test('changes of one relation become one, with all their ids once', () => {
  const pending = pendingChanges()
  pending.add(5, { relation: 'checks', ids: ['a', 'b'] })
  pending.add(7, { relation: 'checks', ids: ['b', 'c'] })
  pending.add(6, { relation: 'canaries', ids: ['x'] })
  expect(pending.take()).toEqual({
    id: 7,
    changes: [
      { relation: 'checks', ids: ['a', 'b', 'c'] },
      { relation: 'canaries', ids: ['x'] },
    ],
  })
  expect(pending.take()).toBeUndefined()
})

test('"any row" swallows single rows, before and after', () => {
  const pending = pendingChanges()
  pending.add(1, { relation: 'checks', ids: ['a'] })
  pending.add(2, { relation: 'checks', ids: [] })
  pending.add(3, { relation: 'checks', ids: ['b'] })
  expect(pending.take()).toEqual({ id: 3, changes: [{ relation: 'checks', ids: [] }] })
})

test('too many ids become "any row", so a stream never holds more than a few thousand words', () => {
  const pending = pendingChanges()
  for (let n = 0; n < 100_000; n++) pending.add(n, { relation: 'checks', ids: [`id-${n}`] })
  expect(pending.take()).toEqual({ id: 99_999, changes: [{ relation: 'checks', ids: [] }] })
})
