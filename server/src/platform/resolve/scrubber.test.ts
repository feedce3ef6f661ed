import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Scrubber } from './scrubber.ts'

const secret = 'p@ss "w0rd"/+é'
const scrubber = new Scrubber()
scrubber.add(secret)

describe('removes a secret', () => {
  test.each([
    ['as it is', `login with ${secret} failed`],
    ['percent-encoded', `http://u:${encodeURIComponent(secret)}@h/`],
    ['form-encoded', `q=${encodeURIComponent(secret).replaceAll('%20', '+')}`],
    ['inside JSON', JSON.stringify({ error: secret })],
    ['as base64', Buffer.from(secret).toString('base64')],
    ['as base64 for addresses', Buffer.from(secret).toString('base64url')],
    ['behind a user name in base64', `Basic ${Buffer.from(`user:${secret}`).toString('base64')}`],
    ['between other bytes in base64', Buffer.from(`ab${secret}tail`).toString('base64')],
    ['in hex', Buffer.from(secret).toString('hex')],
  ])('%s', (_, text) => {
    const clean = scrubber.text(text)
    expect(clean).toContain('***')
    expect(clean).not.toContain(secret)
    expect(Buffer.from(clean, 'base64').toString()).not.toContain(secret)
  })
  test('line by line when it has several', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----'
    const keys = new Scrubber()
    keys.add(key)
    expect(keys.text('error near hkiG9w0BAQEFAASC, line 3')).toBe('error near ***, line 3')
  })
  test('from keys, values, errors, maps, sets, bytes and circles', () => {
    const circle: Record<string, unknown> = {
      [secret]: [secret, 1, null],
      map: new Map([[secret, new Set([secret])]]),
      at: new Date(0),
    }
    circle.self = circle
    const clean = scrubber.value(circle)
    expect(clean['***']).toEqual(['***', 1, null])
    expect(clean.map).toEqual(new Map([['***', new Set(['***'])]]))
    expect(clean.self).toBe(clean)
    expect(clean.at).toEqual(new Date(0))
    expect(Buffer.from(scrubber.value(Buffer.from(`x${secret}y`))).toString()).toBe('x***y')
    expect(scrubber.error(new Error(`bad ${secret}`))).toBe('bad ***')
    expect(scrubber.value({ error: new Error(secret) })).toEqual({ error: { name: 'Error', message: '***' } })
  })
})

test('what has a text of its own is kept as that text', () => {
  class Span {
    readonly seconds = 90
    toJSON() {
      return `1m30s ${secret}`
    }
  }
  expect(scrubber.value({ elapsed: new Span() })).toEqual({ elapsed: '1m30s ***' })
})

test('short secrets go only where they stand alone', () => {
  const short = new Scrubber()
  short.add('abc')
  expect(short.text('abc')).toBe('***')
  expect(short.text('abcdef')).toBe('abcdef')
  expect(short.value({ password: 'abc', note: 'an abc book' })).toEqual({ password: '***', note: 'an abc book' })
})

test('what holds no secret stays the same', () => {
  const bytes = Buffer.from([0, 255, 1, 2])
  expect(scrubber.value(bytes)).toBe(bytes)
  expect(scrubber.value({ a: [1, 'x', { b: true }] })).toEqual({ a: [1, 'x', { b: true }] })
  expect(new Scrubber().value(circular)).toBe(circular)
})
const circular = {}

test('nothing of any secret of four characters or more is left', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 4, unit: 'grapheme' }), fc.string(), fc.string(), (hidden, before, after) => {
      const one = new Scrubber()
      one.add(hidden)
      for (const text of [
        before + hidden + after,
        encodeURIComponent(hidden.replace(/\p{Surrogate}/gu, '?')),
        JSON.stringify(hidden),
      ]) {
        if (hidden !== '***' && !'***'.includes(hidden)) expect(one.text(text)).not.toContain(hidden)
      }
    }),
  )
})
