import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLive } from '../../platform/events/live.ts'
import { forgetProperties } from '../../platform/properties.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { type ConsumersHandle, handleLocked, handleTaken, startConsumers } from './consumers.ts'
import { checkConsumers, type Consumer, defineConsumer } from './event.ts'
import { buryAbandoned, lockEvents, queueEvent, renewEvent, takeEvents } from './events.sql.ts'

const db = await testDatabase()
const base = testContext(db)
const ctx = { ...base, live: createLive({ db, log: base.log }) }
const never = new AbortController().signal
const open: ConsumersHandle[] = []

afterAll(() => ctx.live.close())
afterEach(() => Promise.all(open.splice(0).map((each) => each.stop())))
beforeEach(async () => {
  await db.run('delete from event_queue')
  forgetProperties(ctx)
})

interface Row {
  id: string
  name: string
  attempts: number
  error: string | null
  last_attempt: Date | null
  dead_letter: boolean
}
const rows = () => db.query<Row>('select * from event_queue order by created_at, id')
const add = (name: string, id = '1') => queueEvent(db, name, { id })
const letPass = (interval: string) =>
  db.run(`update event_queue set last_attempt = last_attempt - $1::interval`, [interval])
const start = (...consumers: Consumer[]) => {
  const handle = startConsumers(ctx, consumers)
  open.push(handle)
  return handle
}

describe('synchronous consumers', () => {
  test('what they write and the end of the event are one transaction', async () => {
    await add('a')
    const consumer = defineConsumer({
      mode: 'sync',
      names: ['a'],
      handle: async (_, sql, event) =>
        void (await sql.run('insert into properties (name, value) values ($1, $2)', ['handled', event.properties.id])),
    })
    expect(await handleLocked(ctx, [consumer])).toBe(true)
    expect(await rows()).toEqual([])
    expect(await db.one(`delete from properties where name = 'handled' returning value`)).toEqual({ value: '1' })
    expect(await handleLocked(ctx, [consumer])).toBe(false)
  })

  test('a failing one leaves nothing behind but its error, and does not disturb the others', async () => {
    await add('a', 'bad')
    await add('a', 'good')
    const handled: string[] = []
    const consumer = defineConsumer({
      mode: 'sync',
      names: ['a'],
      handle: async (_, sql, event) => {
        await sql.run(`insert into properties (name, value) values ($1, '')`, [`event-${event.properties.id}`])
        if (event.properties.id === 'bad') throw new Error('this one is broken')
        handled.push(event.properties.id!)
      },
    })
    await handleLocked(ctx, [consumer])
    expect(handled).toEqual(['good'])
    expect(await rows()).toMatchObject([{ attempts: 1, error: 'this one is broken', dead_letter: false }])
    expect(await db.query(`delete from properties where name like 'event-%' returning name`)).toEqual([
      { name: 'event-good' },
    ])
  })

  test('a statement that fails in the database is caught too', async () => {
    await add('a')
    const consumer = defineConsumer({
      mode: 'sync',
      names: ['a'],
      handle: async (_, sql) => void (await sql.query('select 1/0')),
    })
    await handleLocked(ctx, [consumer])
    expect(await rows()).toMatchObject([{ attempts: 1, error: 'division by zero' }])
  })

  test('several consumers of one name all see it, or it counts as failed', async () => {
    await add('a')
    const seen: string[] = []
    const one = defineConsumer({ mode: 'sync' as const, names: ['a'], handle: async () => void seen.push('one') })
    const two = defineConsumer({ mode: 'sync' as const, names: ['a', 'b'], handle: async () => void seen.push('two') })
    await handleLocked(ctx, [one, two])
    expect(seen).toEqual(['one', 'two'])
  })

  test('higher priority first, then older first', async () => {
    await add('a', 'old')
    await add('a', 'new')
    await add('b', 'urgent')
    await db.run(`update event_queue set priority = 200 where name = 'b'`)
    await db.run(`update event_queue set created_at = now() - interval '1 h' where properties->>'id' = 'old'`)
    const order: string[] = []
    const handle = async (_: unknown, __: unknown, event: { properties: Record<string, string> }) =>
      void order.push(event.properties.id!)
    await handleLocked(ctx, [{ mode: 'sync', names: ['a', 'b'], handle }])
    expect(order).toEqual(['urgent', 'old', 'new'])
  })
})

describe('retries', () => {
  const broken = { mode: 'sync' as const, names: ['a'], handle: () => Promise.reject(new Error('no')) }

  test('come after 1 min, 32 min and 243 min, then the event waits for a person', async () => {
    await add('a')
    const tries = async () => (await rows())[0]!.attempts
    await handleLocked(ctx, [broken])
    for (const [tooEarly, rest, count] of [
      ['59 s', '2 s', 2],
      ['31 min 59 s', '2 s', 3],
      ['242 min 59 s', '2 s', 4],
    ] as const) {
      await letPass(tooEarly)
      expect(await handleLocked(ctx, [broken])).toBe(false)
      await letPass(rest)
      expect(await handleLocked(ctx, [broken])).toBe(true)
      expect(await tries()).toBe(count)
    }
    expect(await rows()).toMatchObject([{ dead_letter: true, error: 'no' }])
    await letPass('10 days')
    expect(await handleLocked(ctx, [broken])).toBe(false)
  })

  test('the same event again is a fresh one', async () => {
    await add('a')
    await handleLocked(ctx, [broken])
    await add('a')
    expect(await rows()).toMatchObject([{ attempts: 0, error: null, last_attempt: null, dead_letter: false }])
  })
})

describe('asynchronous consumers', () => {
  const consumer = (handle: () => Promise<void>, more = {}) => ({
    mode: 'async' as const,
    names: ['send'],
    handle,
    ...more,
  })

  test('keep the event until it is handled: a worker that dies loses nothing', async () => {
    await add('send')
    const [taken] = await takeEvents(db, ['send'], 1)
    expect(taken).toMatchObject({ name: 'send', attempts: 0 })
    expect(await takeEvents(db, ['send'], 1)).toEqual([])
    expect(await rows()).toHaveLength(1)
    await letPass('61 s')
    let handled = 0
    await handleTaken(
      ctx,
      consumer(async () => void handled++),
      never,
    )
    expect(handled).toBe(1)
    expect(await rows()).toEqual([])
  })

  test('a failure is stored with its text and its time, so retries wait', async () => {
    await add('send')
    await handleTaken(
      ctx,
      consumer(() => Promise.reject(new Error('no route to host'))),
      never,
    )
    const [row] = await rows()
    expect(row).toMatchObject({ attempts: 1, error: 'no route to host', dead_letter: false })
    expect(Date.now() - row!.last_attempt!.getTime()).toBeLessThan(5000)
    expect(
      await handleTaken(
        ctx,
        consumer(async () => undefined),
        never,
      ),
    ).toBe(false)
  })

  test('an event queued anew while it is handled comes again', async () => {
    await add('send')
    await handleTaken(
      ctx,
      consumer(() => add('send')),
      never,
    )
    expect(await rows()).toMatchObject([{ attempts: 0, error: null }])
  })

  test('work that takes long keeps its hold', async () => {
    await add('send')
    const [taken] = await takeEvents(db, ['send'], 1)
    const token = await renewEvent(db, taken!.id, taken!.token)
    expect(token).toBeDefined()
    expect(await renewEvent(db, taken!.id, taken!.token)).toBeUndefined()
    expect(await takeEvents(db, ['send'], 1)).toEqual([])
  })

  test('the last try of a worker that died is shown as failed', async () => {
    await add('send')
    await db.run(`update event_queue set attempts = 4, last_attempt = now() - interval '11 min'`)
    expect(await buryAbandoned(db)).toBe(1)
    expect(await rows()).toMatchObject([{ dead_letter: true, error: 'the worker died while handling this event' }])
  })

  test('{event}.batchSize sets how many are taken at once', async () => {
    for (let n = 0; n < 5; n++) await add('send', String(n))
    await db.run(`insert into properties (name, value) values ('send.batchSize', '3')`)
    let handled = 0
    await handleTaken(
      ctx,
      consumer(async () => void handled++),
      never,
    )
    expect(handled).toBe(3)
    await db.run('delete from properties')
  })
})

describe('running', () => {
  test('an insert is handled within a moment, without polling', async () => {
    const seen: number[] = []
    start({ mode: 'sync', names: ['quick'], handle: async () => void seen.push(performance.now()) })
    await expect.poll(() => ctx.live.listener.connected).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 150))
    const before = performance.now()
    await add('quick')
    await expect.poll(() => seen.length, { interval: 5 }).toBe(1)
    // Polling would take a minute.
    expect(seen[0]! - before).toBeLessThan(2000)
  })

  test('two processes at once handle every event once', async () => {
    const seen = new Map<string, number>()
    const count = async (event: { name: string; properties: Record<string, string> }) => {
      const key = event.name + event.properties.id
      seen.set(key, (seen.get(key) ?? 0) + 1)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    const consumers: Consumer[] = [
      { mode: 'sync', names: ['s1', 's2'], handle: (_, __, event) => count(event) },
      { mode: 'async', names: ['send'], concurrency: 3, batchSize: 5, handle: (_, event) => count(event) },
    ]
    await db.run(
      `insert into event_queue (name, properties) select name, jsonb_build_object('id', n::text) from generate_series(1, 150) n, unnest('{s1,s2,send}'::text[]) name`,
    )
    start(...consumers)
    start(...consumers)
    await expect.poll(() => seen.size, { timeout: 15_000 }).toBe(450)
    await expect.poll(rows, { timeout: 5000 }).toEqual([])
    expect([...seen.values()].every((times) => times === 1)).toBe(true)
  })

  test('a long queue does not make the next claim slow', async () => {
    await db.run(
      `insert into event_queue (name, properties) select 'config.created', jsonb_build_object('id', n) from generate_series(1, 50000) n`,
    )
    await db.query('analyze event_queue')
    const names = ['config.created', 'config.deleted', 'check.failed']
    const times: number[] = []
    for (let round = 0; round < 10; round++) {
      const before = performance.now()
      expect(await lockEvents(db, names, 25)).toHaveLength(25)
      times.push(performance.now() - before)
    }
    // Reading all of it would take many times as long; the best of ten, because other things run on this machine too.
    expect(Math.min(...times)).toBeLessThan(30)
  })

  test('stopping waits for what is being handled', async () => {
    let ended = false
    const handle = start({
      mode: 'async',
      names: ['slow'],
      handle: async () => {
        await new Promise((resolve) => setTimeout(resolve, 200))
        ended = true
      },
    })
    await add('slow')
    await expect.poll(async () => (await rows())[0]?.attempts).toBe(1)
    await handle.stop()
    expect(ended).toBe(true)
    expect(await rows()).toEqual([])
  })
})

test('two consumers of one name, one of them asynchronous, are refused at start', () => {
  const sync = { mode: 'sync' as const, names: ['a'], handle: async () => undefined }
  const async = { mode: 'async' as const, names: ['a'], handle: async () => undefined }
  expect(() => checkConsumers([sync, async])).toThrow('two consumers want the event a')
  expect(() => checkConsumers([async, async])).toThrow('two consumers want the event a')
  expect(() => checkConsumers([sync, sync])).not.toThrow()
})
