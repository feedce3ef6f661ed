import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { peopleRoutes } from '../../modules/people/people.routes.ts'
import { fakeClock, testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { type Browser, browser, testServer } from '../../testing/http.ts'
import { aPerson, goodPassword, startedFlow } from '../../testing/identity.ts'
import { openDb } from '../db/db.ts'
import { identityRoutes } from './identity.routes.ts'
import { rateLimiter } from './rate-limit.ts'

/** Two servers on one database, each with connections and a memory of its own. */
const db = await testDatabase()
const other = openDb({ url: db.url })
const clock = fakeClock('2026-01-15T10:00:00Z')
const ctx = testContext(db, { clock })
const routes = [...identityRoutes, ...peopleRoutes]
let one: FastifyInstance
let two: FastifyInstance

beforeAll(async () => {
  one = await testServer(ctx, routes)
  two = await testServer({ ...ctx, db: other }, routes)
})
afterAll(async () => {
  await one.close()
  await two.close()
  await other.close()
})
beforeEach(() => clock.add(3_600_000))

const rows = async () => Number((await db.one<{ n: string }>('select count(*) as n from identity_limits')).n)
async function guess(app: FastifyInstance, email: string, password: string, ip = '10.0.0.1') {
  const visitor = browser(app)
  const { flow, csrf } = await startedFlow(visitor, 'login')
  return attempt(visitor, flow.id, { csrf_token: csrf, method: 'password', identifier: email, password }, ip)
}
const attempt = (visitor: Browser, flow: string, payload: object, ip: string) =>
  visitor.send({
    method: 'POST',
    url: `/api/.ory/self-service/login?flow=${flow}`,
    payload,
    headers: { 'x-forwarded-for': ip },
  })

describe('attempts', () => {
  test('at one account are counted by all servers together, and by one that starts anew', async () => {
    const { email } = await aPerson(ctx)
    const codes: number[] = []
    for (let i = 0; i < 10; i++)
      codes.push((await guess(i % 2 === 0 ? one : two, email, `wrong password ${i}`)).statusCode)
    expect(codes).toEqual(Array<number>(10).fill(400))
    const fresh = openDb({ url: db.url })
    const restarted = await testServer({ ...ctx, db: fresh }, routes)
    for (const app of [one, two, restarted]) {
      const answer = await guess(app, email, goodPassword)
      expect(answer.statusCode).toBe(429)
      expect(Number(answer.headers['retry-after'])).toBe(300)
    }
    await restarted.close()
    await fresh.close()
    expect((await guess(two, email, goodPassword, '10.0.0.2')).statusCode).toBe(200)
    clock.add(5 * 60_000)
    expect((await guess(two, email, goodPassword)).statusCode).toBe(200)
  })

  test('from one address are counted across accounts and servers', async () => {
    // Most of them are counted without hashing, which would take its time.
    const rule = { name: 'address', limit: 60, windowMs: 300_000 }
    for (let i = 0; i < 56; i++) expect(await rateLimiter(db).take(rule, '10.0.0.3', clock.now())).toBe(0)
    for (let i = 0; i < 4; i++) {
      const basic = `Basic ${Buffer.from(`nobody-${i}@example.test:wrong`).toString('base64')}`
      const headers = { authorization: basic, 'x-forwarded-for': '10.0.0.3' }
      expect((await (i % 2 ? one : two).inject({ url: '/api/auth/whoami', headers })).statusCode).toBe(401)
    }
    const { email } = await aPerson(ctx)
    for (const app of [one, two]) expect((await guess(app, email, goodPassword, '10.0.0.3')).statusCode).toBe(429)
  })

  test('at one account from many addresses lock it for a while, which is written down once', async () => {
    const { email } = await aPerson(ctx)
    const rule = { name: 'account', limit: 100, windowMs: 900_000 }
    for (let i = 0; i < 99; i++) await rateLimiter(db).take(rule, email, clock.now())
    expect((await guess(one, email, 'wrong password', '10.1.0.1')).statusCode).toBe(400)
    for (const [app, ip] of [
      [two, '10.1.0.2'],
      [one, '10.1.0.3'],
      [two, '10.1.0.4'],
    ] as const) {
      const answer = await guess(app, email, goodPassword, ip)
      expect(answer.statusCode).toBe(429)
      expect(Number(answer.headers['retry-after'])).toBe(900)
    }
    const log = await db.query(`select details from audit_log where object_name = $1 and action = 'sign_in_failed'`, [
      email,
    ])
    expect(log.map(({ details }) => (details as { reason: string }).reason).toSorted()).toEqual([
      'too many attempts',
      'wrong',
    ])
    clock.add(900_001)
    expect((await guess(two, email, goodPassword, '10.1.0.5')).statusCode).toBe(200)
  })

  test('made at once at two servers are bounded too', async () => {
    const { email } = await aPerson(ctx)
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, i) => guess(i % 2 ? one : two, email, `wrong password ${i}`, '10.0.0.4')),
    )
    const codes = answers.map(({ statusCode }) => statusCode)
    expect(codes.filter((code) => code === 400)).toHaveLength(10)
    expect(codes.filter((code) => code === 429)).toHaveLength(14)
    // Whoever is stopped at the pair is not counted against the account, or one address could lock its owner out.
    const visitor = browser(one)
    const { flow, csrf } = await startedFlow(visitor, 'login')
    const form = { csrf_token: csrf, method: 'password', identifier: email, password: 'wrong password' }
    for (let i = 0; i < 100; i++) expect((await attempt(visitor, flow.id, form, '10.0.0.4')).statusCode).toBe(429)
    expect((await guess(one, email, goodPassword, '10.0.0.5')).statusCode).toBe(200)
  })

  test('that succeed do not count, and clear those before', async () => {
    const { email } = await aPerson(ctx)
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 9; i++) expect((await guess(one, email, 'wrong password', '10.0.0.6')).statusCode).toBe(400)
      expect((await guess(two, email, goodPassword, '10.0.0.6')).statusCode).toBe(200)
    }
  })

  test('name nobody in the table', async () => {
    await guess(one, 'typed my password here', 'x', '10.0.0.7')
    const all = await db.query<{ key: string }>('select key from identity_limits')
    expect(all.length).toBeGreaterThan(0)
    for (const { key } of all) expect(key).toMatch(/^[\w-]{43}$/)
  })
})

describe('the table', () => {
  const rule = { name: 'test', limit: 3, windowMs: 1000 }
  const at = (ms: number) => new Date(clock.now().getTime() + ms)

  test('lets the limit pass, then says how long to wait, then starts anew', async () => {
    const [here, there] = [rateLimiter(db), rateLimiter(other)]
    expect(await here.take(rule, 'a', at(0))).toBe(0)
    expect(await there.take(rule, 'a', at(100))).toBe(0)
    expect(await here.take(rule, 'a', at(200))).toBe(0)
    expect(await there.take(rule, 'a', at(400))).toBe(600)
    expect(await there.take(rule, 'a', at(900))).toBe(100)
    expect(await there.take(rule, 'b', at(900))).toBe(0)
    expect(await here.take(rule, 'a', at(1000))).toBe(0)
  })

  test('an attempt given back or a reset does not count', async () => {
    const limiter = rateLimiter(db)
    for (let i = 0; i < 10; i++) {
      expect(await limiter.take(rule, 'c', at(0))).toBe(0)
      await limiter.giveBack(rule, 'c')
    }
    for (let i = 0; i < 3; i++) await limiter.take(rule, 'c', at(0))
    expect(await limiter.take(rule, 'c', at(0))).toBeGreaterThan(0)
    await limiter.reset(rule, 'c')
    expect(await limiter.take(rule, 'c', at(0))).toBe(0)
  })

  test('hammering asks the database once a second', async () => {
    let asked = 0
    const counting = { ...db, run: (text: string, values?: unknown[]) => (asked++, db.run(text, values)) }
    const limiter = rateLimiter(counting)
    for (let i = 0; i < 3; i++) await limiter.take(rule, 'd', at(0))
    for (let i = 0; i < 200; i++) expect(await limiter.take(rule, 'd', at(i))).toBeGreaterThan(0)
    expect(asked).toBe(4)
  })

  test('holds what is going on and sweeps away what is over', async () => {
    const limiter = rateLimiter(db)
    for (let i = 0; i < 300; i++) await limiter.take(rule, `old ${i}`, at(0))
    expect(await rows()).toBeGreaterThanOrEqual(300)
    clock.add(3_600_000)
    for (let i = 0; i < 100; i++) await limiter.take(rule, `new ${i}`, at(0))
    expect(await rows()).toBeLessThanOrEqual(100)
  })
})
