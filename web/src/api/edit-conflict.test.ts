import { afterEach, expect, test, vi } from 'vitest'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { changedFields, EditConflict, updateOver } from './edit-conflict.ts'

afterEach(() => vi.unstubAllGlobals())

const read = {
  id: 'a',
  name: 'prod',
  spec: { x: 1, y: 2 },
  last_run: '1',
  updated_at: '2026-01-01T00:00:00.123456+00:00',
}
const path = '/api/db/things'

test('the version that was read is a condition of the write', async () => {
  const server = fakeServer({ [`PATCH ${path}`]: [{ ...read, name: 'new' }] })
  expect(await updateOver('things', read, { name: 'new' })).toMatchObject({ name: 'new' })
  const [call] = server.calls
  expect(call!.query.get('id')).toBe('eq.a')
  expect(call!.query.get('updated_at')).toBe(`eq.${read.updated_at}`)
  expect(call!.body).toEqual({ name: 'new' })
})

test('a row without a version is one that has none still', async () => {
  const server = fakeServer({ [`PATCH ${path}`]: [read] })
  await updateOver('things', { ...read, updated_at: null }, { name: 'new' })
  expect(server.calls[0]!.query.get('updated_at')).toBe('is.null')
})

test('what somebody else saved meanwhile is a conflict, with both versions', async () => {
  const current = { ...read, name: 'theirs', updated_at: '2026-01-02T00:00:00+00:00' }
  fakeServer({ [`PATCH ${path}`]: [], [`GET ${path}`]: [current] })
  const conflict = await updateOver('things', read, { name: 'mine' }).catch((error: unknown) => error)
  expect(conflict).toBeInstanceOf(EditConflict)
  expect(conflict).toMatchObject({ read, current, values: { name: 'mine' } })
})

test('what an engine noted on the row is no conflict', async () => {
  const current = { ...read, spec: { y: 2, x: 1 }, last_run: '2', updated_at: '2026-01-02T00:00:00+00:00' }
  const server = fakeServer({
    [`PATCH ${path}`]: ({ query }: { query: URLSearchParams }) =>
      query.get('updated_at') === `eq.${current.updated_at}` ? [current] : [],
    [`GET ${path}`]: [current],
  })
  await updateOver('things', read, { spec: { x: 3 } })
  expect(server.asked('PATCH')).toHaveLength(2)
})

test('where values are hidden, any newer version is a conflict', async () => {
  fakeServer({ [`PATCH ${path}`]: [], [`GET ${path}`]: [{ ...read, updated_at: '2026-01-02T00:00:00+00:00' }] })
  await expect(updateOver('things', read, { name: 'x' }, 'thing', { anyChange: true })).rejects.toBeInstanceOf(
    EditConflict,
  )
})

test('what was deleted is said, and a refusal stays what it is', async () => {
  const server = fakeServer({ [`PATCH ${path}`]: [], [`GET ${path}`]: [{ ...read, deleted_at: '2026-01-02' }] })
  await expect(updateOver('things', read, { name: 'x' }, 'thing')).rejects.toThrow(
    'This thing was deleted in the meantime',
  )
  server.handlers[`PATCH ${path}`] = answer(403, { message: 'You may not' })
  await expect(updateOver('things', read, { name: 'x' })).rejects.toThrow('You may not')
})

test('a row that never rests ends in words, not in a loop', async () => {
  const server = fakeServer({ [`PATCH ${path}`]: [], [`GET ${path}`]: [read] })
  await expect(updateOver('things', read, { name: 'x' })).rejects.toThrow('keeps changing')
  expect(server.asked('PATCH')).toHaveLength(3)
})

test('fields differ by value, not by the order of keys', () => {
  expect(changedFields(read, { ...read, spec: { y: 2, x: 1 } }, ['spec'])).toEqual([])
  expect(changedFields(read, { ...read, spec: { x: 1 }, name: 'b', updated_at: '' }, Object.keys(read))).toEqual([
    'name',
    'spec',
  ])
})
