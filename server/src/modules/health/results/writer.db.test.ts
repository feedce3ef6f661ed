import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import type { Db } from '../../../platform/db/db.ts'
import { newId } from '../../../platform/ids.ts'
import { testDatabase } from '../../../testing/database.ts'
import type { StoredResult } from './results.sql.ts'
import { startWriter } from './writer.ts'

const db = await testDatabase()
const log = pino({ level: 'silent' })
const writer = startWriter({ db, log })
afterAll(() => writer.stop())

async function aCheck(): Promise<string> {
  const canary = newId()
  const check = newId()
  await db.run(`insert into canaries (id, name, namespace, spec) values ($1, $2, 'default', '{}')`, [canary, canary])
  await db.run(`insert into checks (id, canary_id, type, name) values ($1, $2, 'http', 'c')`, [check, canary])
  return check
}
const result = (checkId: string, more: Partial<StoredResult> = {}): StoredResult => ({
  checkId,
  time: Date.now(),
  pass: true,
  invalid: false,
  duration: 12.4,
  message: null,
  error: null,
  details: null,
  severity: null,
  lag: 3,
  nextRuntime: null,
  labels: null,
  ...more,
})

test('a batch writes history, the newest state and the last hour', async () => {
  const check = await aCheck()
  const now = Date.now()
  writer.add(result(check, { time: now, pass: false, error: 'refused', duration: 40, details: '{"code":500}' }))
  writer.add(result(check, { time: now - 60_000, duration: 20 }))
  await writer.flush()
  const history = await db.query(
    'select status, duration, error, lag from check_statuses where check_id = $1 order by time',
    [check],
  )
  expect(history).toEqual([
    { status: true, duration: 20, error: null, lag: 3 },
    { status: false, duration: 40, error: 'refused', lag: 3 },
  ])
  expect(await db.one('select status, last_runtime from checks where id = $1', [check])).toEqual({
    status: 'unhealthy',
    last_runtime: new Date(now),
  })
  expect(await db.one('select passed, failed, p99 from check_status_summary where check_id = $1', [check])).toEqual({
    passed: '1',
    failed: '1',
    p99: 40,
  })
})

test('an older result never overwrites a newer state', async () => {
  const check = await aCheck()
  const now = Date.now()
  writer.add(result(check, { time: now }))
  await writer.flush()
  writer.add(result(check, { time: now - 30_000, pass: false }))
  await writer.flush()
  expect(await db.one('select status from checks where id = $1', [check])).toEqual({ status: 'healthy' })
})

test('a check deleted in the meantime loses no other result, and the same second twice is one row', async () => {
  const [kept, gone] = [await aCheck(), await aCheck()]
  await db.run('delete from checks where id = $1', [gone])
  const time = Math.floor(Date.now() / 1000) * 1000
  writer.add(result(gone))
  writer.add(result(kept, { time }))
  writer.add(result(kept, { time: time + 400 }))
  await writer.flush()
  expect(
    await db.one('select count(*)::int as rows from check_statuses where check_id = any($1)', [[kept, gone]]),
  ).toEqual({ rows: 1 })
})

test('runs that did not happen are counted', async () => {
  const check = await aCheck()
  writer.missed(check, 2)
  await writer.flush()
  writer.missed(check)
  await writer.flush()
  expect(await db.one('select missed from quarterdeck_health.check_state where check_id = $1', [check])).toEqual({
    missed: '3',
  })
})

test('results survive an outage of the database', async () => {
  const check = await aCheck()
  let down = true
  const flaky: Db = {
    ...db,
    run: (text, values) => (down ? Promise.reject(new Error('connection refused')) : db.run(text, values)),
  }
  const other = startWriter({ db: flaky, log })
  for (let i = 0; i < 1200; i++) other.add(result(check, { time: Date.now() - i * 1000 }))
  await expect(other.flush()).rejects.toThrow('connection refused')
  expect(other.stats().waiting).toBe(1200)
  down = false
  await other.flush()
  await other.stop()
  expect(await db.one('select count(*)::int as rows from check_statuses where check_id = $1', [check])).toEqual({
    rows: 1200,
  })
})

test('the buffer is bounded; what falls out counts as missed', async () => {
  const check = await aCheck()
  let down = true
  const flaky: Db = { ...db, run: (text, values) => (down ? Promise.reject(new Error('down')) : db.run(text, values)) }
  const other = startWriter({ db: flaky, log })
  const long = 'x'.repeat(1024 * 1024)
  for (let i = 0; i < 100; i++) other.add(result(check, { time: Date.now() - i * 1000, error: long }))
  expect(other.stats().dropped).toBeGreaterThan(3)
  const { dropped } = other.stats()
  down = false
  await other.flush()
  await other.stop()
  expect(await db.one('select missed::int from quarterdeck_health.check_state where check_id = $1', [check])).toEqual({
    missed: dropped,
  })
})

test('a result the database does not take is counted as missed and holds up no other', async () => {
  const [good, bad] = [await aCheck(), await aCheck()]
  const now = Date.now()
  writer.add(result(good, { time: now }))
  writer.add(result(bad, { details: '{"cut' }))
  writer.add(result(bad, { time: Date.UTC(-200_000, 0) }))
  writer.add(result(good, { time: now - 60_000 }))
  await writer.flush()
  expect(writer.stats().waiting).toBe(0)
  expect(await db.one('select count(*)::int as rows from check_statuses where check_id = $1', [good])).toEqual({
    rows: 2,
  })
  expect(await db.one('select missed::int from quarterdeck_health.check_state where check_id = $1', [bad])).toEqual({
    missed: 2,
  })
})

test('the state follows after the clock was set back', async () => {
  const check = await aCheck()
  writer.add(result(check, { time: Date.now() + 3_600_000 }))
  await writer.flush()
  writer.add(result(check, { pass: false }))
  await writer.flush()
  expect(await db.one('select status from checks where id = $1', [check])).toEqual({ status: 'unhealthy' })
})

test('a batch that loses against somebody who changes the same checks is stored all the same', async () => {
  const [first, second] = [await aCheck(), await aCheck()]
  const losses: unknown[] = []
  const watched: Db = {
    ...db,
    run: (text, values) =>
      db.run(text, values).catch((error: { code?: string }) => {
        losses.push(error.code)
        throw error
      }),
  }
  const other = startWriter({ db: watched, log })
  const touch = 'update checks set description = $2 where id = $1'
  let flushed = Promise.resolve()
  await db.tx(async (sql) => {
    // The writer is the one that notices.
    await sql.query(`set local deadlock_timeout = '1min'`)
    await sql.run(touch, [second, 'b'])
    for (const check of [first, second]) other.add(result(check))
    flushed = other.flush()
    await expect
      .poll(() =>
        db.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'with history%'`),
      )
      .toHaveLength(1)
    await sql.run(touch, [first, 'a'])
  })
  await flushed
  await other.stop()
  expect(losses).toEqual(['40P01'])
  expect(
    await db.query('select description, status from checks where id = any($1) order by 1', [[first, second]]),
  ).toEqual([
    { description: 'a', status: 'healthy' },
    { description: 'b', status: 'healthy' },
  ])
})
