import { describe, expect, test } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'

const same = (one: object, two: object) =>
  fingerprintOf({ patches: one as never }) === fingerprintOf({ patches: two as never })

describe('fingerprints', () => {
  test('numbers, ids, times, hashes and digit texts do not matter', () => {
    expect(same({ status: { count: 1 } }, { status: { count: 25 } })).toBe(true)
    expect(same({ at: '2024-08-29T10:00:00Z' }, { at: '2026-01-02T03:04:05.678+02:00' })).toBe(true)
    expect(
      same({ id: 'pod-0190a3a0-0000-7000-8000-000000000001' }, { id: 'pod-0190a3a0-0000-7000-8000-000000000002' }),
    ).toBe(true)
    expect(same({ image: `app@${'a'.repeat(64)}` }, { image: `app@${'b1'.repeat(32)}` })).toBe(true)
    expect(same({ rv: '123' }, { rv: '99881' })).toBe(true)
  })
  test('other values and places do', () => {
    expect(same({ a: 'x' }, { a: 'y' })).toBe(false)
    expect(same({ a: { b: 1 } }, { a: { c: 1 } })).toBe(false)
    expect(same({ a: true }, { a: false })).toBe(false)
  })
  test('the order of keys does not', () => {
    expect(same({ a: 'x', b: 'y' }, { b: 'y', a: 'x' })).toBe(true)
  })
  test('details serve where there is no patch; nothing gives none', () => {
    expect(fingerprintOf({ details: { a: 1 } })).toBe(fingerprintOf({ patches: { a: 2 } }))
    expect(fingerprintOf({ patches: {}, details: {} })).toBeUndefined()
    expect(fingerprintOf({})).toBeUndefined()
  })
})
