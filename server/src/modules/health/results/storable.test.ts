import { expect, test } from 'vitest'
import { storableJson, storableText } from './storable.ts'

test('what PostgreSQL refuses is taken out, what only looks like it stays', () => {
  expect(storableText('a\0b')).toBe('ab')
  const half = '\ud800'
  const odd = { nul: 'a\0b', half, pair: '😀', spelled: '\\u0000 \\ud800', path: 'C:\\new\\ud' }
  const json = storableJson(odd)!
  expect(JSON.parse(json)).toEqual({ ...odd, nul: 'ab', half: '\ufffd' })
  expect(storableJson({ '\0key': 1 })).toBe('{"key":1}')
})

test('nothing is null', () => {
  expect([storableJson(undefined), storableJson(null), storableJson(() => 1)]).toEqual([null, null, null])
})
