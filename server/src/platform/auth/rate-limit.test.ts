import { describe, expect, test } from 'vitest'
import { addressKey, rateLimiter } from './rate-limit.ts'

const rule = { name: 'account', limit: 3, windowMs: 1000 }

describe('rateLimiter', () => {
  test('lets the limit pass, then says how long to wait, then starts anew', () => {
    const limiter = rateLimiter()
    expect([0, 100, 200].map((now) => limiter.take(rule, 'a', now))).toEqual([0, 0, 0])
    expect(limiter.take(rule, 'a', 400)).toBe(600)
    expect(limiter.take(rule, 'a', 900)).toBe(100)
    expect(limiter.take(rule, 'b', 900)).toBe(0)
    expect(limiter.take(rule, 'a', 1000)).toBe(0)
  })

  test('an attempt given back or a reset does not count', () => {
    const limiter = rateLimiter()
    for (let i = 0; i < 10; i++) {
      expect(limiter.take(rule, 'a', 0)).toBe(0)
      limiter.giveBack(rule, 'a')
    }
    for (let i = 0; i < 3; i++) limiter.take(rule, 'a', 0)
    expect(limiter.take(rule, 'a', 0)).toBeGreaterThan(0)
    limiter.reset(rule, 'a')
    expect(limiter.take(rule, 'a', 0)).toBe(0)
  })

  test('holds no more counters than it may', () => {
    const limiter = rateLimiter(100)
    for (let i = 0; i < 1000; i++) limiter.take(rule, String(i), 0)
    expect(limiter.size).toBe(100)
  })
})

describe('addressKey', () => {
  test.each([
    ['10.0.0.7', '10.0.0.7'],
    ['::ffff:10.0.0.7', '10.0.0.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:1:2::9', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s is %s', (ip, key) => expect(addressKey(ip)).toBe(key))
})
