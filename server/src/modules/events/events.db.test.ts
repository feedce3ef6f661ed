import { roles } from '@quarterdeck/contract/permissions'
import { beforeEach, describe, expect, test } from 'vitest'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { callAs, routeApp } from '../../testing/route-app.ts'
import { eventRoutes } from './events.routes.ts'

const db = await testDatabase()
const app = await routeApp(testContext(db), eventRoutes())

let id = ''
beforeEach(async () => {
  await db.run('delete from event_queue')
  const row = await db.one<{ id: string }>(
    `insert into event_queue (name, properties, attempts, last_attempt, error, dead_letter)
     values ('notification.send', '{"id":"1"}', 4, now(), 'no route to host', true) returning id`,
  )
  id = row.id
})
const rows = () => db.query('select name, attempts, error, last_attempt, dead_letter from event_queue')
const audited = () => db.query('select action, object_type, object_name from audit_log order by at desc limit 1')

describe('a failed event', () => {
  test('can be retried: it is due at once and looks like new', async () => {
    expect(await callAs(app, 'admin', 'POST', `/v1/event-queue/${id}/retry`)).toMatchObject({
      status: 200,
      body: { name: 'notification.send' },
    })
    expect(await rows()).toEqual([
      { name: 'notification.send', attempts: 0, error: null, last_attempt: null, dead_letter: false },
    ])
    expect(await audited()).toEqual([
      { action: 'event_retried', object_type: 'event', object_name: 'notification.send' },
    ])
  })

  test('can be discarded', async () => {
    expect(await callAs(app, 'admin', 'DELETE', `/v1/event-queue/${id}`)).toMatchObject({ status: 200 })
    expect(await rows()).toEqual([])
    expect(await callAs(app, 'admin', 'DELETE', `/v1/event-queue/${id}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })

  test('all of one name can be retried or discarded together; events that wait are left alone', async () => {
    await db.run(
      `insert into event_queue (name, properties) values ('notification.send', '{"id":"2"}'), ('check.failed', '{"id":"3"}')`,
    )
    expect(await callAs(app, 'admin', 'POST', '/v1/event-queue/retry', { name: 'notification.send' })).toMatchObject({
      status: 200,
      body: { count: 1 },
    })
    await db.run(`update event_queue set error = 'again' where properties->>'id' = '1'`)
    expect(await callAs(app, 'admin', 'DELETE', '/v1/event-queue?name=notification.send')).toMatchObject({
      status: 200,
      body: { count: 1 },
    })
    expect(await rows()).toHaveLength(2)
  })
})

describe('who may', () => {
  test('administrators only', async () => {
    for (const role of [...roles.filter((each) => each !== 'admin'), undefined]) {
      const expected = role ? 403 : 401
      expect((await callAs(app, role, 'POST', `/v1/event-queue/${id}/retry`)).status).toBe(expected)
      expect((await callAs(app, role, 'DELETE', `/v1/event-queue/${id}`)).status).toBe(expected)
      expect((await callAs(app, role, 'POST', '/v1/event-queue/retry', { name: 'a' })).status).toBe(expected)
      expect((await callAs(app, role, 'DELETE', '/v1/event-queue?name=a')).status).toBe(expected)
    }
    expect(await rows()).toHaveLength(1)
  })
})

describe('bad input', () => {
  test.each([
    ['POST', '/v1/event-queue/nonsense/retry', undefined],
    ['DELETE', '/v1/event-queue/1%00', undefined],
    ['DELETE', '/v1/event-queue', undefined],
    ['POST', '/v1/event-queue/retry', {}],
    ['POST', '/v1/event-queue/retry', { name: '' }],
    ['POST', '/v1/event-queue/retry', { name: ['a'] }],
  ] as const)('%s %s is a 400 that says why', async (method, url, body) => {
    const answer = await callAs(app, 'admin', method, url, body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid' } })
  })

  test('an event that is not there is a 404', async () => {
    const answer = await callAs(app, 'admin', 'POST', '/v1/event-queue/00000000-0000-4000-8000-00000000dead/retry')
    expect(answer).toMatchObject({ status: 404, body: { message: 'The event was not found' } })
  })
})
