import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { rows } from '../../testing/rows.ts'

const db = await testDatabase()
const make = rows(db)

const record = (check: { id: string }, results: readonly [time: Date, passed: boolean, duration: number][]) =>
  db.run(
    `insert into check_statuses (check_id, time, status, duration)
     select $1, * from unnest($2::timestamptz[], $3::boolean[], $4::integer[]) on conflict do nothing`,
    [
      check.id,
      results.map(([time]) => time),
      results.map(([, passed]) => passed),
      results.map(([, , duration]) => duration),
    ],
  )
// One moment for the whole file, so that a time written down equals the time expected.
const now = Math.floor(Date.now() / 1000) * 1000
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000)
const summary = (check: { id: string }) =>
  db.maybeOne('select * from check_status_summary where check_id = $1', [check.id])

describe('roll-ups', () => {
  const at = (time: string) => new Date(`2026-03-01T${time}Z`)

  test('A23: whole buckets grow with every result, in UTC, and a repeated result counts once', async () => {
    const check = await make.aCheck()
    await record(check, [
      [at('10:00:00'), true, 10],
      [at('10:30:00'), false, 30],
      [at('11:00:00'), true, 20],
    ])
    await record(check, [
      [at('10:59:59'), true, 10],
      [at('10:00:00'), true, 10],
    ])
    const hours = await db.query(
      'select created_at, total, passed, failed, duration, latency from check_statuses_1h where check_id = $1 order by 1',
      [check.id],
    )
    const ten = Array.from({ length: 16 }, (_, bucket) => (bucket === 9 ? 2 : bucket === 15 ? 1 : 0))
    const twenty = Array.from({ length: 14 }, (_, bucket) => (bucket === 13 ? 1 : 0))
    expect(hours).toEqual([
      { created_at: at('10:00:00'), total: 3, passed: 2, failed: 1, duration: 50, latency: ten },
      { created_at: at('11:00:00'), total: 1, passed: 1, failed: 0, duration: 20, latency: twenty },
    ])
    const days = await db.query(
      'select created_at, total, passed, failed, duration from check_statuses_1d where check_id = $1',
      [check.id],
    )
    expect(days).toEqual([{ created_at: at('00:00:00'), total: 4, passed: 3, failed: 1, duration: 70 }])
  })

  test('percentiles over several buckets stay within a tenth of the true ones', async () => {
    const check = await make.aCheck()
    const durations = Array.from({ length: 2000 }, (_, index) => Math.round(5 + ((index * 7919) % 3000)))
    await record(
      check,
      durations.map((duration, index) => [new Date(Date.UTC(2026, 2, 2) + index * 30_000), true, duration]),
    )
    const sorted = [...durations].sort((a, b) => a - b)
    const merged = await db.one<{ p50: number; p95: number; p99: number }>(
      `select latency_percentile(h, 0.5) as p50, latency_percentile(h, 0.95) as p95, latency_percentile(h, 0.99) as p99
       from (select latency_merge(latency) as h from check_statuses_1h where check_id = $1) as merged`,
      [check.id],
    )
    for (const [fraction, found] of [
      [0.5, merged.p50],
      [0.95, merged.p95],
      [0.99, merged.p99],
    ] as const) {
      const exact = sorted[Math.ceil(fraction * sorted.length) - 1]!
      expect(Math.abs(found - exact) / exact).toBeLessThan(0.1)
    }
  })

  test('the histogram takes any duration', async () => {
    expect(
      await db.one(`select latency_percentile('{}', 0.5) as none, latency_percentile(latency_count('{}', null), 0.5) as unknown,
      latency_percentile(latency_count('{}', -5), 0.5) as negative, latency_percentile(latency_count('{}', 2147483647), 0.5) as huge,
      latency_bucket(0) as first, array_length(latency_bounds(), 1) as buckets`),
    ).toEqual({
      none: null,
      unknown: null,
      negative: 0,
      huge: 654_949,
      first: 1,
      buckets: 71,
    })
  })
})

describe('summary', () => {
  test('holds the last hour, exact, right after the insert', async () => {
    const check = await make.aCheck()
    await record(check, [[minutesAgo(90), false, 1000]])
    await record(check, [
      [minutesAgo(50), true, 10],
      [minutesAgo(40), true, 20],
      [minutesAgo(30), false, 30],
      [minutesAgo(20), true, 40],
    ])
    expect(await summary(check)).toMatchObject({
      p50: 20,
      p95: 40,
      p99: 40,
      mean: '25.0000000000000000',
      passed: '3',
      failed: '1',
      last_check: minutesAgo(20),
      last_pass: minutesAgo(20),
      last_fail: minutesAgo(30),
    })
    expect(await db.one('select uptime, latency from check_summary where id = $1', [check.id])).toMatchObject({
      uptime: { passed: 3, failed: 1 },
      latency: { p50: 20, p95: 40, p99: 40, avg: 25 },
    })
  })

  test('A6: the hour does not depend on the time zone of the session', async () => {
    const check = await make.aCheck()
    await record(check, [
      [minutesAgo(30), true, 10],
      [minutesAgo(90), true, 10],
    ])
    await db.tx(async (sql) => {
      await sql.query(`set local time zone 'America/New_York'`)
      expect(await sql.one('select passed from check_status_summary_hour where check_id = $1', [check.id])).toEqual({
        passed: '1',
      })
    })
  })

  test('a check without results for an hour shows its newest one', async () => {
    const check = await make.aCheck()
    const newest = minutesAgo(200)
    await record(check, [
      [minutesAgo(300), true, 10],
      [newest, false, 70],
    ])
    expect(await summary(check)).toMatchObject({
      p99: 70,
      p50: 70,
      mean: '70',
      passed: '0',
      failed: '1',
      last_check: newest,
    })
    expect(await db.query('select p95 from check_status_summary_aged where check_id = $1', [check.id])).toEqual([
      { p95: 70 },
    ])
  })

  test('the hour moves on without new results when the jobs look again', async () => {
    const check = await make.aCheck()
    const passedAt = minutesAgo(10)
    const longAgo = new Date(passedAt.getTime() - 120 * 60_000)
    await record(check, [
      [minutesAgo(59), false, 10],
      [passedAt, true, 20],
    ])
    // As if time went by: the older result leaves the hour.
    await db.run(`update check_statuses set time = time - interval '10 minutes' where check_id = $1 and not status`, [
      check.id,
    ])
    await db.run(`update check_status_summary set refreshed_at = now() - interval '6 minutes' where check_id = $1`, [
      check.id,
    ])
    await db.query('select refresh_check_status_summary()')
    expect(await summary(check)).toMatchObject({ passed: '1', failed: '0', p99: 20 })
    await db.run(`update check_statuses set time = time - interval '2 hours' where check_id = $1`, [check.id])
    await db.run(
      `update check_status_summary set last_check = last_check - interval '2 hours',
                  refreshed_at = last_check - interval '2 hours' where check_id = $1`,
      [check.id],
    )
    await db.query('select refresh_check_status_summary_aged()')
    expect(await summary(check)).toMatchObject({ passed: '1', failed: '0', last_check: longAgo })
  })

  test('A7: labels of canary and check are laid over each other, missing ones are empty', async () => {
    const canary = await make.aCanary({ labels: { a: '1', b: '1' } })
    const checks = [
      await make.aCheck({ canary_id: canary.id, labels: { b: '2' } }),
      await make.aCheck({ canary_id: canary.id }),
      await make.aCheck(),
    ]
    const shown = await db.query(
      'select labels from check_summary where id = any ($1) order by array_position($1, id)',
      [checks.map(({ id }) => id)],
    )
    expect(shown.map(({ labels }) => labels)).toEqual([{ a: '1', b: '2' }, { a: '1', b: '1' }, {}])
  })

  test('a check never run has nulls, not zeros', async () => {
    const check = await make.aCheck()
    expect(await db.one('select uptime, latency from check_summary where id = $1', [check.id])).toEqual({
      uptime: { passed: null, failed: null, last_pass: null, last_fail: null },
      latency: { p99: null, p95: null, p50: null, avg: null },
    })
  })

  test('a check linked to a config by two selectors shows once', async () => {
    const [check, config] = [await make.aCheck(), await make.aConfig()]
    for (const selector_id of ['a', 'b']) {
      await make.insert('check_config_relationships', {
        config_id: config.id,
        check_id: check.id,
        canary_id: check['canary_id'],
        selector_id,
      })
    }
    expect(await db.query('select id from check_summary_for_config where config_id = $1', [config.id])).toEqual([
      { id: check.id },
    ])
    expect(await db.one('select checks from check_summary_by_config where config_id = $1', [config.id])).toEqual({
      checks: { unknown: 2 },
    })
  })
})

test('results are listed with their artifacts', async () => {
  const check = await make.aCheck()
  const [first, second] = [minutesAgo(2), minutesAgo(1)]
  await record(check, [
    [first, true, 1],
    [second, true, 1],
  ])
  const artifact = await make.insert('artifacts', {
    check_id: check.id,
    check_time: first,
    path: '/a',
    filename: 'a.txt',
    size: 3,
    checksum: 'x',
  })
  expect(
    await db.query('select artifacts from checks_status_artifacts where check_id = $1 order by time', [check.id]),
  ).toEqual([
    { artifacts: [{ name: 'a.txt', size: 3, id: artifact.id }] },
    { artifacts: [{ name: null, size: null, id: null }] },
  ])
})

test('sizes are measured per check', async () => {
  const check = await make.aCheck()
  await record(check, [
    [minutesAgo(2), true, 1],
    [minutesAgo(1), true, 1],
  ])
  await db.query('select refresh_check_size_summary()')
  expect(
    await db.one('select count, size > 0 as sized, canary_id from check_size_summary where id = $1', [check.id]),
  ).toEqual({
    count: '2',
    sized: true,
    canary_id: check['canary_id'],
  })
})

test('five-minute buckets', async () => {
  const check = await make.aCheck()
  const start = new Date(Math.floor(Date.now() / 300_000) * 300_000 - 600_000)
  await record(check, [
    [start, true, 5],
    [new Date(start.getTime() + 299_000), false, 7],
  ])
  expect(
    await db.query(
      'select created_at, total_checks, passed, failed, total_duration from check_statuses_5m where check_id = $1',
      [check.id],
    ),
  ).toEqual([{ created_at: start, total_checks: '2', passed: '1', failed: '1', total_duration: '12' }])
})
