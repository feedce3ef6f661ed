import { expect, test } from 'vitest'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { callAs, routeApp } from '../../testing/route-app.ts'
import { rows } from '../../testing/rows.ts'
import { jobStatistics } from './statistics.sql.ts'
import { jobStatisticsRoutes } from './statistics.routes.ts'

const db = await testDatabase()
const make = rows(db)
const app = await routeApp(testContext(db), jobStatisticsRoutes)
const run = (minutes: number, status: string, more: object = {}) => {
  const at = new Date(Date.UTC(2026, 0, 1, 0, minutes))
  return make.insert('job_history', { name: 'Cleanup', status, time_start: at, created_at: at, ...more })
}

test('the newest runs of each job, counted by state and measured', async () => {
  await run(1, 'FAILED', { duration_millis: 90_000, details: { errors: ['an old failure'] } })
  await run(2, 'FAILED', { duration_millis: 1000, details: { errors: ['no disk', 'no luck'] } })
  await run(3, 'SUCCESS', { duration_millis: 2000 })
  await run(4, 'WARNING', { duration_millis: 3000 })
  await run(5, 'SKIPPED')
  await run(6, 'RUNNING', { duration_millis: 1 })
  await run(7, 'SUCCESS', { name: 'Other', duration_millis: 5 })
  expect(await jobStatistics(db, 5)).toEqual([
    {
      name: 'Cleanup',
      runs: 5,
      success: 1,
      warning: 1,
      failed: 1,
      running: 1,
      other: 1,
      average_millis: 2000,
      p95_millis: 2900,
      longest_millis: 3000,
      last_status: 'RUNNING',
      last_run_at: new Date('2026-01-01T00:06:00Z'),
      last_failed_at: new Date('2026-01-01T00:02:00Z'),
      last_error: 'no disk',
    },
    expect.objectContaining({ name: 'Other', runs: 1, failed: 0, last_failed_at: null, last_error: null }),
  ])
})

test('for everybody who may read the history', async () => {
  const answer = await callAs(app, 'viewer', 'GET', '/v1/jobs/statistics')
  expect(answer.status).toBe(200)
  expect(answer.body).toHaveLength(2)
  expect((await callAs(app, undefined, 'GET', '/v1/jobs/statistics')).status).toBe(401)
})
