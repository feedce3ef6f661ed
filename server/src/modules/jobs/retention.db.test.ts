import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { listPartitions } from '../../platform/db/partitions.ts'
import { installQueue } from '../../platform/queue/queue.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { jobId } from './job.ts'
import { retentionJobs } from './retention.jobs.ts'
import { runJob } from './run-job.ts'

const db = await testDatabase()
const ctx = testContext(db)
await installQueue(db)

const run = async (id: string) => {
  const job = retentionJobs.find((each) => jobId(each) === id)!
  const outcome = await runJob(ctx, job)
  expect(outcome.errors).toEqual([])
  return outcome.successCount
}
const ids = async (table: string) => (await db.query<{ id: string }>(`select id from ${table}`)).map((row) => row.id)

const system = (await db.one<{ id: string }>(`select id from people where name = 'System'`)).id
const incident = await db.one<{ id: string }>(
  `insert into incidents (title, created_by, severity, description, type, status) values ('t', $1, 'Low', 'd', 'availability', 'open') returning id`,
  [system],
)
const hypothesis = await db.one<{ id: string }>(
  `insert into hypotheses (created_by, incident_id, type, title, status) values ($1, $2, 'root', 't', 'possible') returning id`,
  [system, incident.id],
)
const evidenceOf = (column: string, id: string) =>
  db.run(
    `insert into evidences (description, hypothesis_id, created_by, type, ${column}) values ('e', $1, $2, 'x', $3)`,
    [hypothesis.id, system, id],
  )
const playbook = await db.one<{ id: string }>(
  `insert into playbooks (name, spec, source) values ('p', '{}', 'UI') returning id`,
)
const runOf = (column: string, id: string) =>
  db.run(`insert into playbook_runs (playbook_id, ${column}) values ($1, $2)`, [playbook.id, id])

describe('job history', () => {
  test('older than 30 days goes, RUNNING longer than 4 hours becomes STALE', async () => {
    await db.run(`insert into job_history (name, status, created_at, time_start) values
      ('a', 'SUCCESS', now() - interval '31 days', now() - interval '31 days'),
      ('b', 'SUCCESS', now() - interval '29 days', now() - interval '29 days'),
      ('c', 'RUNNING', now() - interval '5 hours', now() - interval '5 hours'),
      ('d', 'RUNNING', now() - interval '3 hours', now() - interval '3 hours')`)
    await run('CleanupStaleJobHistory')
    expect(
      await db.query(`select name, status from job_history where name in ('a', 'b', 'c', 'd') order by name`),
    ).toEqual([
      { name: 'b', status: 'SUCCESS' },
      { name: 'c', status: 'STALE' },
      { name: 'd', status: 'RUNNING' },
    ])
  })

  test('of agents keeps three per job, resource and outcome', async () => {
    await db.run(`insert into agents (id, name) values ('11111111-1111-4111-8111-111111111111', 'edge')`)
    await db.run(`insert into job_history (agent_id, name, resource_id, status)
      select '11111111-1111-4111-8111-111111111111', 'x', r, s from generate_series(1, 5), unnest('{r1,r2}'::text[]) r, unnest('{SUCCESS,FAILED}'::text[]) s`)
    expect(await run('CleanupStaleAgentJobHistory')).toBe(8)
    expect(
      await db.query(`select count(*)::int from job_history where name = 'x' group by resource_id, status`),
    ).toEqual([{ count: 3 }, { count: 3 }, { count: 3 }, { count: 3 }])
  })
})

test('events and send history older than 30 days go', async () => {
  await db.run(
    `insert into event_queue (name, properties, created_at) values ('old', '{}', now() - interval '31 days'), ('new', '{}', now())`,
  )
  await run('Cleanup Event Queue')
  const names = (await db.query<{ name: string }>(`select name from event_queue where name in ('old', 'new')`)).map(
    (row) => row.name,
  )
  expect(names).toEqual(['new'])

  const notification = await db.one<{ id: string }>(`insert into notifications (events) values ('{}') returning id`)
  await db.run(
    `insert into notification_send_history (notification_id, body, source_event, resource_id, created_at)
     select $1, '', 'check.failed', gen_random_uuid(), now() - n * interval '10 days' from generate_series(1, 5) n`,
    [notification.id],
  )
  expect(await run('Cleanup NotificationSend History')).toBe(3)
})

describe('checks and canaries', () => {
  const canary = async (deleted: string | null) =>
    (
      await db.one<{ id: string }>(
        `insert into canaries (name, namespace, spec, deleted_at) values ($1, 'default', '{}', now() - $2::interval) returning id`,
        [randomUUID(), deleted],
      )
    ).id
  const check = async (canaryId: string, deleted: string | null) =>
    (
      await db.one<{ id: string }>(
        `insert into checks (canary_id, type, name, deleted_at) values ($1, 'http', $2, now() - $3::interval) returning id`,
        [canaryId, randomUUID(), deleted],
      )
    ).id

  test('checks of a deleted canary are soft-deleted', async () => {
    const gone = await canary('1 hour')
    const orphan = await check(gone, null)
    await db.run('update checks set deleted_at = null where id = $1', [orphan])
    await run('CleanupChecks')
    expect(await db.one('select deleted_at is not null as deleted from checks where id = $1', [orphan])).toEqual({
      deleted: true,
    })
  })

  test('checks deleted for 7 days go, those that evidence, runs or artifacts use stay and stop nobody', async () => {
    const home = await canary(null)
    const [plain, inEvidence, inRun, inArtifact, recent] = await Promise.all([
      check(home, '8 days'),
      check(home, '8 days'),
      check(home, '8 days'),
      check(home, '8 days'),
      check(home, '6 days'),
    ])
    await evidenceOf('check_id', inEvidence!)
    await runOf('check_id', inRun!)
    await db.run(`insert into artifacts (check_id, path, filename, size, checksum) values ($1, '/a', 'a', 1, 'x')`, [
      inArtifact,
    ])
    await run('CleanupChecks purge')
    const left = await ids('checks')
    expect([plain, inEvidence, inRun, inArtifact, recent].map((id) => left.includes(id!))).toEqual([
      false,
      true,
      true,
      true,
      true,
    ])
  })

  test('canaries deleted for 7 days go once their checks are gone', async () => {
    const [empty, full, recent] = [await canary('8 days'), await canary('8 days'), await canary('6 days')]
    await check(full, '1 day')
    await run('CleanupCanaries')
    const left = await ids('canaries')
    expect([empty, full, recent].map((id) => left.includes(id))).toEqual([false, true, true])
  })

  test('results lose their oldest days, roll-ups live longer', async () => {
    const id = await check(await canary(null), null)
    const at = (days: number) => new Date(Date.now() - days * 86_400_000)
    await run('EnsureCheckStatusPartitions')
    expect((await listPartitions(db, 'check_statuses')).length).toBeGreaterThanOrEqual(8)
    for (const age of [0, 29, 31])
      await db.run('insert into check_statuses (check_id, time, status) values ($1, $2, true)', [id, at(age)])
    for (const table of ['check_statuses_1h', 'check_statuses_1d']) {
      for (const age of [1, 364, 366, 1824, 1826]) {
        await db.run(
          `insert into ${table} (check_id, created_at, duration, total, passed, failed) values ($1, $2, 1, 1, 1, 0) on conflict do nothing`,
          [id, at(age)],
        )
      }
    }
    await run('DeleteOldCheckStatuses')
    await run('DeleteOldCheckStatuses1h')
    await run('DeleteOldCheckStatuses1d')
    const count = async (table: string, column: string) =>
      (
        await db.query<{ age: number }>(
          `select round(extract(epoch from now() - ${column}) / 86400)::int as age from ${table} where check_id = $1`,
          [id],
        )
      ).map((row) => row.age)
    expect(Math.max(...(await count('check_statuses', 'time')))).toBe(29)
    expect(Math.max(...(await count('check_statuses_1h', 'created_at')))).toBe(364)
    expect(Math.max(...(await count('check_statuses_1d', 'created_at')))).toBe(1824)
  })
})

describe('components', () => {
  const component = async (changes: { deleted?: string; parent?: string; topology?: string; path?: string } = {}) =>
    (
      await db.one<{ id: string }>(
        `insert into components (name, external_id, status, deleted_at, parent_id, topology_id, path) values ($1, 'x', '', now() - $2::interval, $3, $4, $5) returning id`,
        [randomUUID(), changes.deleted ?? null, changes.parent ?? null, changes.topology ?? null, changes.path ?? ''],
      )
    ).id

  test('of a deleted topology are soft-deleted, with the canaries inside them', async () => {
    const topology = await db.one<{ id: string }>(
      `insert into topologies (name, namespace, deleted_at) values ('gone', 'default', now()) returning id`,
    )
    const id = await component({ topology: topology.id })
    await db.run(`insert into canaries (name, namespace, spec, source) values ('inline', 'default', '{}', $1)`, [
      `component/${id}`,
    ])
    await run('CleanupComponents')
    expect(await db.one('select deleted_at is not null as deleted from components where id = $1', [id])).toEqual({
      deleted: true,
    })
    expect(await db.one(`select deleted_at is not null as deleted from canaries where name = 'inline'`)).toEqual({
      deleted: true,
    })
  })

  test('deleted for 7 days go, deepest first; what evidence or runs hold stays without its parent', async () => {
    const root = await component({ deleted: '8 days' })
    const middle = await component({ deleted: '8 days', parent: root, path: root })
    const leaf = await component({ deleted: '8 days', parent: middle, path: `${root}.${middle}` })
    const held = await component({ deleted: '8 days', parent: middle, path: `${root}.${middle}` })
    const ran = await component({ deleted: '8 days' })
    const parentOfLiving = await component({ deleted: '8 days' })
    const living = await component({ parent: parentOfLiving })
    await evidenceOf('component_id', held)
    await runOf('component_id', ran)
    await db.run('insert into component_relationships (component_id, relationship_id) values ($1, $2)', [leaf, held])
    await run('CleanupSoftDeletedComponents')
    const left = await ids('components')
    expect([root, middle, leaf].map((id) => left.includes(id))).toEqual([false, false, false])
    expect([held, ran, parentOfLiving, living].map((id) => left.includes(id))).toEqual([true, true, true, true])
    expect(await db.one('select parent_id from components where id = $1', [held])).toEqual({ parent_id: null })
  })
})

describe('catalog', () => {
  const item = async (deleted: string | null, parent: string | null = null) =>
    (
      await db.one<{ id: string }>(
        `insert into config_items (config_class, type, name, deleted_at, parent_id) values ('Node', 'Node', $1, now() - $2::interval, $3) returning id`,
        [randomUUID(), deleted, parent],
      )
    ).id
  const change = async (config: string, age: string) =>
    (
      await db.one<{ id: string }>(
        `insert into config_changes (config_id, change_type, created_at, external_change_id) values ($1, 'diff', now() - $2::interval, $3) returning id`,
        [config, age, randomUUID()],
      )
    ).id
  const finding = async (config: string, age: string) =>
    (
      await db.one<{ id: string }>(
        `insert into config_analysis (config_id, analyzer, last_observed) values ($1, 'a', now() - $2::interval) returning id`,
        [config, age],
      )
    ).id

  test('changes and findings older than 60 days go; evidence keeps its own, and only its own', async () => {
    const home = await item(null)
    const [old, recent, shown] = [
      await change(home, '61 days'),
      await change(home, '59 days'),
      await change(home, '61 days'),
    ]
    const [oldFinding, recentFinding, shownFinding] = [
      await finding(home, '61 days'),
      await finding(home, '59 days'),
      await finding(home, '61 days'),
    ]
    await evidenceOf('config_change_id', shown)
    await evidenceOf('config_analysis_id', shownFinding)
    await run('CleanupConfigChanges')
    await run('CleanupConfigAnalysis')
    const left = [...(await ids('config_changes')), ...(await ids('config_analysis'))]
    expect([old, recent, shown, oldFinding, recentFinding, shownFinding].map((id) => left.includes(id))).toEqual([
      false,
      true,
      true,
      false,
      true,
      true,
    ])
  })

  test('items deleted for 7 days go with everything on them, unless something points at them', async () => {
    const [plain, recent, inEvidence, inRun] = [
      await item('8 days'),
      await item('6 days'),
      await item('8 days'),
      await item('8 days'),
    ]
    const child = await item(null, plain)
    await change(plain, '1 day')
    await evidenceOf('config_id', inEvidence)
    await runOf('config_id', inRun)
    await run('CleanupConfigItems')
    const left = await ids('config_items')
    expect([plain, recent, inEvidence, inRun, child].map((id) => left.includes(id))).toEqual([
      false,
      true,
      true,
      true,
      true,
    ])
    expect(await db.one('select parent_id from config_items where id = $1', [child])).toEqual({ parent_id: null })
  })
})

test('sessions and flows that ended long ago go, live ones stay', async () => {
  const identity = await db.one<{ id: string }>(
    `insert into identities (traits) values ('{"email":"a@b.test","name":{"first":"A","last":"B"}}') returning id`,
  )
  await db.run(
    `insert into identity_sessions (identity_id, token_hash, expires_at, active, issued_at) values
      ($1, 'old', now() - interval '31 days', true, now() - interval '32 days'),
      ($1, 'ended', now() + interval '1 day', false, now() - interval '31 days'),
      ($1, 'live', now() + interval '1 day', true, now())`,
    [identity.id],
  )
  await db.run(
    `insert into identity_flows (type, expires_at) values ('login', now() - interval '2 days'), ('login', now() + interval '1 hour')`,
  )
  await run('CleanupSessions')
  expect(await db.query('select token_hash from identity_sessions')).toEqual([{ token_hash: 'live' }])
  expect(await db.query('select from identity_flows')).toHaveLength(1)
})

test('failed queue entries go after 30 days, live changes are pruned', async () => {
  await ctx.queue.add(db, 'x', {})
  await ctx.queue.add(db, 'y', {})
  await db.run(
    `update graphile_worker._private_jobs set attempts = max_attempts, updated_at = now() - interval '31 days' where id = (select min(id) from graphile_worker._private_jobs)`,
  )
  expect(await run('CleanupQueue')).toBe(1)
  await run('PruneLiveChanges')
})

test('retention follows its properties', async () => {
  await db.run(`insert into properties (name, value) values ('event_queue.maxAge', '1d')`)
  await db.run(
    `insert into event_queue (name, properties, created_at) values ('two days old', '{}', now() - interval '2 days')`,
  )
  const { forgetProperties } = await import('../../platform/properties.ts')
  forgetProperties(ctx)
  await run('Cleanup Event Queue')
  expect(await db.query(`select from event_queue where name = 'two days old'`)).toEqual([])
})

test('names, schedules and retention are those of the specification', () => {
  const table = retentionJobs.map(
    (job) => `${job.name} | ${job.schedule} | ${job.retention?.success}/${job.retention?.failed}`,
  )
  expect(table).toEqual(
    expect.arrayContaining([
      'CleanupStaleJobHistory | 15 1 * * * | 1/3',
      'CleanupStaleAgentJobHistory | 0 1 * * * | 1/3',
      'Cleanup Event Queue | @every 24h | 3/3',
      'Cleanup NotificationSend History | @every 24h | 3/3',
      'CleanupChecks | @every 1h | 3/3',
      'CleanupChecks | @every 12h | 3/3',
      'CleanupCanaries | @every 12h | 3/3',
      'DeleteOldCheckStatuses | @every 24h | 1/3',
      'DeleteOldCheckStatuses1h | @every 24h | 3/3',
      'DeleteOldCheckStatuses1d | @every 24h | 3/3',
      'CleanupComponents | @every 1h | 3/3',
      'CleanupSoftDeletedComponents | @every 24h | 3/3',
      'CleanupConfigAnalysis | @every 24h | 3/3',
      'CleanupConfigChanges | @every 24h | 3/3',
      'CleanupConfigItems | 0 2 * * * | 3/3',
    ]),
  )
})
