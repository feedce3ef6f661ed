import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  byTagKey,
  decodeTriState,
  encodeTriState,
  tagSelector,
  toggleTriState,
  triStateList,
  type TriState,
} from './tri-state.ts'

describe('tri-state filters in an address', () => {
  test.each([
    ['Running:1', { Running: 1 }, 'Running'],
    ['Running:-1,Failed:-1', { Running: -1, Failed: -1 }, '!Running,!Failed'],
    ['Running', { Running: 1 }, 'Running'],
    ['a:0,b:1', { b: 1 }, 'b'],
    ['', {}, ''],
    [',,', {}, ''],
    ['a||||b____c:1', { 'a,b:c': 1 }, 'a,b:c'],
  ])('%s', (text, decoded, list) => {
    expect(decodeTriState(text)).toEqual(decoded)
    expect(triStateList(decodeTriState(text))).toBe(list)
  })

  test('config types write their double colon as two underscores', () => {
    const value: TriState = { 'Kubernetes::Pod': 1, 'AWS::EC2::Instance': 1 }
    expect(encodeTriState(value, 'type')).toBe('Kubernetes__Pod:1,AWS__EC2__Instance:1')
    expect(decodeTriState('Kubernetes__Pod:1,AWS__EC2__Instance:1', 'type')).toEqual(value)
  })

  test('tags are key____value with a sign', () => {
    const value: TriState = { 'region:eu': 1, 'region:us': 1, 'env:dev': -1 }
    expect(encodeTriState(value)).toBe('region____eu:1,region____us:1,env____dev:-1')
    expect(decodeTriState('region____eu:1,region____us:1,env____dev:-1')).toEqual(value)
    expect(tagSelector(value)).toBe('region in (eu,us),env!=dev')
  })

  test('the first double separator of a tag ends the key, later ones are colons of the value', () => {
    const value = decodeTriState('image____repo____v1:1')
    expect(value).toEqual({ 'image:repo:v1': 1 })
    expect(tagSelector(value)).toBe('image=repo:v1')
  })

  test('[CAT-09] any value with commas and colons survives the address', () => {
    // The encoding has no escape for its own separators, so runs of | and _ cannot be part of a value.
    const name = fc.string({ minLength: 1, maxLength: 20 }).filter((s) => !/[|_]/.test(s))
    fc.assert(
      fc.property(fc.dictionary(name, fc.constantFrom(1 as const, -1 as const)), (value) => {
        expect(decodeTriState(encodeTriState(value))).toEqual({ ...value })
      }),
    )
  })

  test('decoding never throws and gives only signs', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const sign of Object.values(decodeTriState(text))) expect([1, -1]).toContain(sign)
      }),
    )
  })
})

describe('choosing', () => {
  test('the active sign resets, the other sign clears the first', () => {
    let value: TriState = {}
    value = toggleTriState(value, 'a', 1)
    value = toggleTriState(value, 'b', 1)
    expect(value).toEqual({ a: 1, b: 1 })
    value = toggleTriState(value, 'a', 1)
    expect(value).toEqual({ b: 1 })
    value = toggleTriState(value, 'c', -1)
    expect(value).toEqual({ c: -1 })
    value = toggleTriState(value, 'c', 1)
    expect(value).toEqual({ c: 1 })
  })

  test('for tags one sign holds per key', () => {
    const value = toggleTriState({ 'region:eu': 1, 'env:dev': 1 }, 'region:us', -1, byTagKey)
    expect(value).toEqual({ 'env:dev': 1, 'region:us': -1 })
  })
})
