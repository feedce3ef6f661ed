import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { rows } from '../../testing/rows.ts'

const db = await testDatabase()
const make = rows(db)

const events = async () =>
  (
    await db.query<{ name: string; properties: Record<string, unknown> }>(
      'select name, properties from event_queue order by name, properties',
    )
  ).map(({ name, properties }) => [name, properties])
const update = (table: string, id: string, set: string) => db.run(`update ${table} set ${set} where id = $1`, [id])

beforeEach(async () => {
  await db.run('delete from event_queue')
})

describe('checks', () => {
  test('a status that changes queues check.passed or check.failed; the first status counts', async () => {
    const check = await make.aCheck()
    expect(await events()).toEqual([])
    await update('checks', check.id, `status = 'unhealthy', last_runtime = '2026-01-01T00:00:00Z'`)
    await update('checks', check.id, `status = 'unhealthy', last_runtime = '2026-01-01T00:01:00Z'`)
    await update('checks', check.id, `status = 'healthy', last_runtime = '2026-01-01T00:02:00Z'`)
    expect(await events()).toEqual([
      ['check.failed', { id: check.id, last_runtime: '2026-01-01T00:00:00+00:00' }],
      ['check.passed', { id: check.id, last_runtime: '2026-01-01T00:02:00+00:00' }],
    ])
  })

  test('last_transition_time moves only with the status', async () => {
    const check = await make.aCheck()
    await update('checks', check.id, `status = 'healthy'`)
    const first = await db.one<{ last_transition_time: Date }>(
      'select last_transition_time from checks where id = $1',
      [check.id],
    )
    expect(first.last_transition_time).toBeInstanceOf(Date)
    await update('checks', check.id, `status = 'healthy', last_runtime = now()`)
    expect(await db.one('select last_transition_time from checks where id = $1', [check.id])).toEqual(first)
  })
})

describe('config items', () => {
  test('an insert queues only config.created, one row per item', async () => {
    const item = await make.aConfig({ health: 'healthy', config: { a: 1 } })
    expect(await events()).toEqual([['config.created', { id: item.id }]])
  })

  test('a document that differs queues config.updated, setting or clearing it does not', async () => {
    const item = await make.aConfig({ config: { a: 1 } })
    await db.run('delete from event_queue')
    await update('config_items', item.id, `config = '{"a": 1}'`)
    await update('config_items', item.id, `last_scraped_time = now(), status = 'Running'`)
    expect(await events()).toEqual([])
    await update('config_items', item.id, `config = '{"a": 2}'`)
    expect(await events()).toEqual([['config.updated', { id: item.id }]])
    await db.run('delete from event_queue')
    await update('config_items', item.id, `config = null`)
    await update('config_items', item.id, `config = '{"a": 3}'`)
    expect(await events()).toEqual([])
  })

  test('a soft delete queues config.deleted and not config.updated', async () => {
    const item = await make.aConfig({ config: { a: 1 } })
    await db.run('delete from event_queue')
    await update('config_items', item.id, `deleted_at = now(), config = '{"a": 2}'`)
    expect(await events()).toEqual([['config.deleted', { id: item.id }]])
    await db.run('delete from event_queue')
    await update('config_items', item.id, `deleted_at = null`)
    expect(await events()).toEqual([])
  })

  test('health that differs is named in the event; empty is unknown', async () => {
    const item = await make.aConfig({ health: 'healthy', status: 'Running', description: 'fine' })
    await db.run('delete from event_queue')
    await update('config_items', item.id, `health = 'unhealthy', status = 'Failed', description = 'out of memory'`)
    await update('config_items', item.id, `health = 'unhealthy'`)
    await update('config_items', item.id, `health = null`)
    await update('config_items', item.id, `health = null, description = 'x'`)
    expect(await events()).toEqual([
      ['config.unhealthy', { id: item.id, status: 'Failed', description: 'out of memory' }],
      ['config.unknown', { id: item.id, status: 'Failed', description: 'out of memory' }],
    ])
  })

  test('a description longer than an index row is no obstacle', async () => {
    const item = await make.aConfig({ health: 'healthy' })
    await db.run('update config_items set health = $2, description = $3 where id = $1', [
      item.id,
      'unhealthy',
      Array.from({ length: 20_000 }, (_, index) => index).join(' '),
    ])
    expect((await events()).map(([name]) => name)).toContain('config.unhealthy')
  })
})

test('components queue component.{health}', async () => {
  const component = await make.aComponent()
  await update('components', component.id, `health = 'warning', status = 'slow'`)
  await update('components', component.id, `status = 'slower'`)
  expect(await events()).toEqual([['component.warning', { id: component.id, status: 'slow', description: null }]])
})

describe('incidents', () => {
  test('creation and status', async () => {
    const incident = await make.anIncident()
    await update('incidents', incident.id, `title = 'other'`)
    await update('incidents', incident.id, `status = 'mitigated'`)
    expect(await events()).toEqual([
      ['incident.created', { id: incident.id }],
      ['incident.status.mitigated', { id: incident.id }],
    ])
  })

  test('responders added and removed', async () => {
    const incident = await make.anIncident()
    await db.run('delete from event_queue')
    const responder = await make.insert('responders', {
      incident_id: incident.id,
      type: 'person',
      created_by: incident.created_by,
    })
    await update('responders', responder.id, `acknowledged = now()`)
    await update('responders', responder.id, `deleted_at = now()`)
    expect(await events()).toEqual([
      ['incident.responder.added', { id: responder.id }],
      ['incident.responder.removed', { id: responder.id }],
    ])
  })

  test('comments', async () => {
    const incident = await make.anIncident()
    await db.run('delete from event_queue')
    const comment = await make.insert('comments', {
      incident_id: incident.id,
      comment: 'hm',
      created_by: incident.created_by,
    })
    expect(await events()).toEqual([['incident.comment.added', { id: comment.id }]])
  })

  test('definition of done: added, removed, passed, regressed; the first pass counts (A16)', async () => {
    const incident = await make.anIncident()
    const hypothesis = await make.aHypothesis({ incident_id: incident.id })
    const evidence = await make.anEvidence({ hypothesis_id: hypothesis.id })
    await db.run('delete from event_queue')
    const expectEvent = async (set: string, names: string[]) => {
      await update('evidences', evidence.id, set)
      expect(await events()).toEqual(names.map((name) => [name, { id: evidence.id }]))
      await db.run('delete from event_queue')
    }
    await expectEvent('definition_of_done = true', ['incident.dod.added'])
    await expectEvent('done = true', ['incident.dod.passed'])
    await expectEvent('done = true, description = description', [])
    await expectEvent('done = false', ['incident.dod.regressed'])
    await expectEvent('done = null', [])
    await expectEvent('done = false', [])
    await expectEvent('definition_of_done = false', ['incident.dod.removed'])
  })
})

describe('playbooks', () => {
  test('a changed approval queues an event; a first approval does not', async () => {
    const playbook = await make.aPlaybook({ spec: {} })
    await update('playbooks', playbook.id, `spec = '{"approval": {"type": "any"}}'`)
    expect(await events()).toEqual([])
    await update('playbooks', playbook.id, `spec = '{"approval": {"type": "all"}}'`)
    expect(await events()).toEqual([['playbook.spec.approval.updated', { id: playbook.id }]])
  })

  test('an approval is announced with its run', async () => {
    const playbook = await make.aPlaybook()
    const run = await make.insert('playbook_runs', { playbook_id: playbook.id })
    const approval = await make.insert('playbook_approvals', { run_id: run.id })
    expect(await events()).toEqual([['playbook.approval.inserted', { id: approval.id, run_id: run.id }]])
  })
})

describe('the queue', () => {
  test('queuing again makes the row fresh and leaves its error', async () => {
    const incident = await make.anIncident()
    await db.run(`update event_queue set attempts = 4, last_attempt = now(), error = 'boom', dead_letter = true,
                  created_at = now() - interval '1 day'`)
    await db.run(`select queue_event('incident.created', jsonb_build_object('id', $1::uuid))`, [incident.id])
    expect(
      await db.one(
        `select attempts, last_attempt, error, dead_letter, created_at > now() - interval '1 minute' as fresh from event_queue`,
      ),
    ).toEqual({ attempts: 0, last_attempt: null, error: 'boom', dead_letter: false, fresh: true })
  })

  test('an insert notifies with the name, queuing again does not', async () => {
    const heard: string[] = []
    const client = await db.pool.connect()
    client.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await client.query('listen event_queue_updates')
    await db.run(`select queue_event('a.b', '{"id": "1"}')`)
    await db.run(`select queue_event('a.b', '{"id": "1"}')`)
    await db.run(`select queue_event('c.d', null)`)
    await expect.poll(async () => (await client.query('select 1'), heard)).toEqual(['a.b', 'c.d'])
    await client.query('unlisten *')
    client.release()
  })
})

describe('channels', () => {
  const hear = async (channel: string, work: () => Promise<unknown>, expected: string[]) => {
    const heard: string[] = []
    const client = await db.pool.connect()
    client.on('notification', (message) => heard.push(message.payload ?? ''))
    await client.query(`listen ${channel}`)
    await work()
    await expect.poll(async () => (await client.query('select 1'), heard)).toEqual(expected)
    await client.query('unlisten *')
    client.release(true)
  }

  test('teams and notifications say when they change', async () => {
    const team = await make.aTeam()
    const notification = await make.aNotification()
    await hear('table_activity', () => update('teams', team.id, `icon = 'x'`), [`teams ${team.id}`])
    await hear('table_activity', () => db.run('delete from notifications where id = $1', [notification.id]), [
      `notifications ${notification.id}`,
    ])
  })

  test('playbooks, runs and actions', async () => {
    const playbook = await make.aPlaybook()
    await hear('playbook_updated', () => update('playbooks', playbook.id, `title = 'x'`), [playbook.id])
    const run = await make.insert('playbook_runs', { playbook_id: playbook.id, status: 'pending' })
    await hear('playbook_run_updates', () => update('playbook_runs', run.id, `status = 'scheduled'`), [''])
    await hear('playbook_run_updates', () => update('playbook_runs', run.id, `status = 'running'`), [])
    await hear(
      'playbook_action_updates',
      () => make.insert('playbook_run_actions', { name: 'a', playbook_run_id: run.id }),
      [''],
    )
  })
})
