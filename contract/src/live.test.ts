import { expect, test } from 'vitest'
import { LiveEvent, queryFamilies, staleFamilies } from './live.ts'

test('a change makes exactly the families stale that show the relation', () => {
  expect(staleFamilies([{ relation: 'comments', ids: ['1'] }])).toEqual(['incidents'])
  expect(
    staleFamilies([
      { relation: 'checks', ids: [] },
      { relation: 'check_statuses', ids: [] },
    ]),
  ).toEqual(['health', 'catalog', 'topology', 'agents'])
  expect(staleFamilies([])).toEqual([])
})

test('a relation this console does not know makes everything stale', () => {
  expect(staleFamilies([{ relation: 'something_newer', ids: [] }])).toEqual([...queryFamilies])
})

test('an event carries relations and ids, never data', () => {
  const event = { changes: [{ relation: 'checks', ids: ['a'], row: { secret: true } }] }
  expect(LiveEvent.parse(event)).toEqual({ changes: [{ relation: 'checks', ids: ['a'] }] })
})
