import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonical, contentHash, type Json, normalText } from './canonical.ts'
import { applyMergePatch, mergePatch } from './merge-patch.ts'

const document = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => canonical(value))

describe('merge patches', () => {
  test('a patch leads from one document to the other', () => {
    fc.assert(
      fc.property(document, document, (from, to) => {
        expect(applyMergePatch(from, mergePatch(from, to))).toEqual(to)
      }),
    )
  })
  test('any version is rebuilt by undoing from the newest', () => {
    fc.assert(
      fc.property(fc.array(document, { minLength: 2, maxLength: 6 }), (versions) => {
        const undos = versions.slice(1).map((version, index) => mergePatch(version, versions[index]!))
        let current: Json = versions.at(-1)!
        for (let index = undos.length - 1; index >= 0; index--) {
          current = applyMergePatch(current, undos[index]!)
          expect(current).toEqual(versions[index])
        }
      }),
    )
  })
  test('removed, added, changed and nested members', () => {
    expect(mergePatch({ a: 1, b: { c: 1, d: [1] } }, { b: { c: 2, d: [1, 2] }, e: 'x' })).toEqual({
      a: null,
      b: { c: 2, d: [1, 2] },
      e: 'x',
    })
  })
  test('a key named __proto__ stays a key', () => {
    const odd = canonical(JSON.parse('{"__proto__":{"a":1}}'))
    expect(normalText(applyMergePatch({}, mergePatch({}, odd)))).toBe(normalText(odd))
    expect(({} as Record<string, unknown>).a).toBeUndefined()
  })
})

describe('the canonical form', () => {
  test('equal content gives equal text and hash whatever the order of keys', () => {
    const one = canonical({ b: 1, a: { d: null, c: [3, null] } })
    const two = canonical({ a: { c: [3, null] }, b: 1 })
    expect(normalText(one)).toBe(normalText(two))
    expect(contentHash(one).equals(contentHash(two))).toBe(true)
  })
  test('what PostgreSQL cannot store is left out', () => {
    expect(canonical({ a: 'x\0y', b: '\uD800', c: Number.NaN, d: undefined, e: 1n })).toEqual({
      a: 'xy',
      b: '\uFFFD',
      c: null,
      e: '1',
    })
  })
})
