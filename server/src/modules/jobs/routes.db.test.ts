import { roles } from '@quarterdeck/contract/permissions'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { installQueue } from '../../platform/queue/queue.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { callAs, routeApp } from '../../testing/route-app.ts'
import { defineJob } from './job.ts'
import { jobRoutes } from './jobs.routes.ts'
import { syncSchedules } from './scheduler.ts'

const db = await testDatabase()
const ctx = testContext(db)
const jobs = [
  defineJob({ name: 'Cleanup Event Queue', schedule: '@every 24h', run: async () => undefined }),
  defineJob({ name: 'Scraper', resourceType: 'config_scraper', run: async () => undefined }),
]
const app = await routeApp(
  ctx,
  jobRoutes(() => jobs),
)
beforeAll(() => installQueue(db))
beforeEach(() => db.run('delete from graphile_worker._private_jobs'))

describe('jobs', () => {
  test('are listed with their schedules and times', async () => {
    await syncSchedules(ctx, jobs)
    const { body } = await callAs(app, 'viewer', 'GET', '/v1/jobs')
    expect(body).toMatchObject([
      { id: 'Cleanup Event Queue', schedule: '@every 24h', next_run_at: expect.any(String), last_run_at: null },
      { id: 'Scraper', resource_type: 'config_scraper', schedule: null, next_run_at: null },
    ])
  })

  test('run when an administrator asks', async () => {
    expect((await callAs(app, 'admin', 'POST', '/v1/jobs/Cleanup%20Event%20Queue/run')).status).toBe(202)
    expect(await db.query('select key from graphile_worker.jobs')).toEqual([{ key: 'job:Cleanup Event Queue:now' }])
    expect((await callAs(app, 'admin', 'POST', '/v1/jobs/Nothing/run')).status).toBe(404)
    for (const role of roles.filter((each) => each !== 'admin'))
      expect((await callAs(app, role, 'POST', '/v1/jobs/Scraper/run')).status).toBe(403)
    expect(await db.query(`select object_name from audit_log where action = 'job_started'`)).toEqual([
      { object_name: 'Cleanup Event Queue' },
    ])
  })
})

describe('tasks that failed for good', () => {
  const fail = async () => {
    await ctx.queue.add(db, 'mail', { to: 'secret@example.test' })
    await db.run(`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no route to host'`)
    return (await db.one<{ id: string }>('select id from graphile_worker._private_jobs')).id
  }

  test('are listed without their payload', async () => {
    await fail()
    const answer = await callAs(app, 'admin', 'GET', '/v1/queue/failed')
    expect(answer.body).toMatchObject([{ task: 'mail', attempts: 10, last_error: 'no route to host' }])
    expect(answer.response.body).not.toContain('secret@example.test')
  })

  test('can be retried and discarded; others cannot', async () => {
    const id = await fail()
    expect((await callAs(app, 'admin', 'POST', `/v1/queue/${id}/retry`)).body).toEqual({ task: 'mail' })
    expect(await db.one('select attempts, last_error, max_attempts from graphile_worker._private_jobs')).toEqual({
      attempts: 0,
      last_error: null,
      max_attempts: 10,
    })
    expect((await callAs(app, 'admin', 'POST', `/v1/queue/${id}/retry`)).status).toBe(404)
    expect((await callAs(app, 'admin', 'DELETE', `/v1/queue/${id}`)).status).toBe(404)
    await db.run('update graphile_worker._private_jobs set attempts = max_attempts')
    expect((await callAs(app, 'admin', 'DELETE', `/v1/queue/${id}`)).status).toBe(200)
  })

  test('are for administrators, and ids are numbers', async () => {
    for (const role of roles.filter((each) => each !== 'admin')) {
      expect((await callAs(app, role, 'GET', '/v1/queue/failed')).status).toBe(403)
      expect((await callAs(app, role, 'POST', '/v1/queue/1/retry')).status).toBe(403)
      expect((await callAs(app, role, 'DELETE', '/v1/queue/1')).status).toBe(403)
    }
    expect((await callAs(app, 'admin', 'DELETE', '/v1/queue/abc')).status).toBe(400)
    expect((await callAs(app, 'admin', 'DELETE', '/v1/queue/9999999999999999999')).status).toBe(400)
  })
})
