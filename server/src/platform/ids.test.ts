import { expect, test } from 'vitest'
import { isUuid, newId } from './ids.ts'

test('ids are version 7 uuids, unique and in order of their making', () => {
  const ids = Array.from({ length: 20_000 }, () => newId())
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(ids)
  for (const id of ids.slice(0, 100))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('isUuid tells ids from other text', () => {
  expect(isUuid(newId())).toBe(true)
  for (const other of ['', 'x', null, 7, `${newId()}x`, "' or 1=1"]) expect(isUuid(other)).toBe(false)
})
