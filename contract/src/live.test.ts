import { expect, test } from 'vitest'
import { type LiveChange, LiveEvent } from './live.ts'
import { queryFamilies, staleFamilies } from './query-families.ts'

const change = (relation: string, ...ids: string[]): LiveChange => ({ relation, ids })

test('a change makes exactly the families stale that show the relation', () => {
  expect(staleFamilies([change('comments', '1')])).toEqual(['incidents'])
  expect(staleFamilies([change('checks'), change('check_statuses')])).toEqual([
    'health',
    'catalog',
    'topology',
    'agents',
  ])
  expect(staleFamilies([])).toEqual([])
})

test('a relation this console does not know makes everything stale', () => {
  expect(staleFamilies([change('something_newer')])).toEqual([...queryFamilies])
})

test('an event carries relations and ids, never data', () => {
  const event = { changes: [{ relation: 'checks', ids: ['a'], row: { secret: true } }] }
  expect(LiveEvent.parse(event)).toEqual({ changes: [{ relation: 'checks', ids: ['a'] }] })
})
