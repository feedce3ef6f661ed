import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { rows, systemPerson } from '../../testing/rows.ts'

const db = await testDatabase()
const make = rows(db)
const nil = '00000000-0000-0000-0000-000000000000'
const update = (table: string, id: string, set: string) => db.run(`update ${table} set ${set} where id = $1`, [id])

describe('agents and people', () => {
  test('agents are listed with what they own, null for nothing, deleted ones not at all', async () => {
    const agent = await make.anAgent()
    await make.aConfig({ agent_id: agent.id, deleted_at: new Date() })
    await make.aConfig({ agent_id: agent.id })
    expect(
      await db.one(
        'select config_count, config_scrapper_count, checks_count, playbook_runs_count from agents_summary where id = $1',
        [agent.id],
      ),
    ).toEqual({
      config_count: '2',
      config_scrapper_count: null,
      checks_count: null,
      playbook_runs_count: null,
    })
    await update('agents', agent.id, 'deleted_at = now()')
    expect(await db.query('select name from agents_summary')).toEqual([{ name: 'local' }])
  })

  test('roles of people who have any', async () => {
    const [person, nobody] = [await make.aPerson({ email: 'r@example.test' }), await make.aPerson()]
    for (const v1 of ['viewer', 'admin']) await make.insert('casbin_rule', { ptype: 'g', v0: person.id, v1 })
    await make.insert('casbin_rule', { ptype: 'p', v0: person.id, v1: 'catalog', v2: 'read', v3: 'allow' })
    expect(
      await db.query('select id, email, roles from people_roles where id = any ($1)', [[person.id, nobody.id]]),
    ).toEqual([{ id: person.id, email: 'r@example.test', roles: ['admin', 'viewer'] }])
  })
})

describe('jobs', () => {
  const job = (row: Record<string, unknown>) =>
    make.insert('job_history', { name: 'Scraper', status: 'SUCCESS', ...row })

  test('settings lists carry the latest job and the last failure', async () => {
    const scraper = await make.insert('config_scrapers', { name: 'aws', spec: {}, source: 'UI' })
    const of = { resource_id: scraper.id, resource_type: 'config_scraper' }
    await job({ ...of, status: 'FAILED', time_start: '2026-01-01T00:00:00Z', created_at: '2026-01-01T00:00:00Z' })
    await job({ ...of, time_start: '2026-01-02T00:00:00Z', created_at: '2026-01-02T00:00:00Z', success_count: 3 })
    expect(
      await db.one(
        'select name, job_status, job_success_count, job_last_failed, agent from config_scrapers_with_status where id = $1',
        [scraper.id],
      ),
    ).toEqual({
      name: 'aws',
      job_status: 'SUCCESS',
      job_success_count: 3,
      job_last_failed: new Date('2026-01-01T00:00:00Z'),
      agent: { id: nil, name: 'local' },
    })
    expect(
      await db.one('select status, rn from job_history_latest_status where resource_id = $1', [scraper.id]),
    ).toEqual({ status: 'SUCCESS', rn: '1' })
    expect(
      await db.one('select integration_type, job_status from integrations_with_status where id = $1', [scraper.id]),
    ).toEqual({
      integration_type: 'scrapers',
      job_status: 'SUCCESS',
    })
  })

  test('canaries show schedule and last run, topologies and teams their own jobs', async () => {
    const canary = await make.aCanary({ spec: { schedule: '@every 1m', interval: 60 } })
    await make.aCheck({ canary_id: canary.id, last_runtime: '2026-01-01T00:00:00Z' })
    expect(
      await db.one('select schedule, interval, last_runtime, job_status from canaries_with_status where id = $1', [
        canary.id,
      ]),
    ).toEqual({
      schedule: '@every 1m',
      interval: '60',
      last_runtime: new Date('2026-01-01T00:00:00Z'),
      job_status: null,
    })
    const topology = await make.insert('topologies', { name: 't', namespace: 'n' })
    await job({ resource_id: topology.id, resource_type: 'topology', status: 'WARNING' })
    await job({
      resource_id: topology.id,
      resource_type: 'other',
      status: 'FAILED',
      created_at: new Date(Date.now() + 1000),
    })
    expect(await db.one('select job_status from topologies_with_status where id = $1', [topology.id])).toEqual({
      job_status: 'WARNING',
    })
    const team = await make.aTeam()
    await job({ resource_id: team.id, resource_type: 'team' })
    expect(await db.one('select job_status from teams_with_status where id = $1', [team.id])).toEqual({
      job_status: 'SUCCESS',
    })
    await update('teams', team.id, 'deleted_at = now()')
    expect(await db.query('select 1 from teams_with_status where id = $1', [team.id])).toEqual([])
  })

  test('the history names its resource, or shows the id it cannot name', async () => {
    const canary = await make.aCanary()
    const jobs = [
      await job({ resource_id: canary.id, resource_type: 'canary' }),
      await job({ resource_id: 'host-1', resource_type: 'canary' }),
      await job({ resource_id: nil, resource_type: 'topology' }),
      await job({}),
    ]
    const shown = await db.query(
      'select resource_name, agent from job_histories where id = any ($1) order by array_position($1, id)',
      [jobs.map(({ id }) => id)],
    )
    expect(shown.map(({ resource_name }) => resource_name)).toEqual([canary['name'], 'host-1', nil, null])
    expect(shown[0]!['agent']).toEqual({ id: nil, name: 'local' })
    await job({ name: 'Another' })
    expect((await db.query<{ name: string }>('select name from job_history_names')).map(({ name }) => name)).toEqual([
      'Another',
      'Scraper',
    ])
  })
})

describe('notifications and events', () => {
  test('A5: the mean duration is over all sends', async () => {
    const [rule, silent] = [await make.aNotification(), await make.aNotification()]
    const send = (duration_millis: number, error: string | null) =>
      make.insert('notification_send_history', {
        notification_id: rule.id,
        body: 'b',
        source_event: 'e',
        resource_id: nil,
        duration_millis,
        error,
      })
    await send(100, null)
    await send(50, 'refused')
    await send(30, 'refused')
    await send(20, 'other')
    await db.query(
      `select queue_event('notification.send', jsonb_build_object('notification_id', $1::uuid, 'id', '1'))`,
      [rule.id],
    )
    const columns = 'pending, avg_duration_ms, failed, sent, most_common_error'
    expect(await db.one(`select ${columns} from notifications_summary where id = $1`, [rule.id])).toEqual({
      pending: '1',
      avg_duration_ms: '50.00',
      failed: '3',
      sent: '1',
      most_common_error: 'refused',
    })
    expect(await db.one(`select ${columns} from notifications_summary where id = $1`, [silent.id])).toEqual({
      pending: '0',
      avg_duration_ms: null,
      failed: null,
      sent: null,
      most_common_error: null,
    })
  })

  test('events are summed up by name', async () => {
    await db.run('delete from event_queue')
    await db.run(`insert into event_queue (name, properties, attempts, error, created_at, last_attempt) values
      ('a', '{"n": 1}', 1, 'x', '2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z'), ('a', '{"n": 2}', 0, null, '2025-01-01T00:00:00Z', null),
      ('a', '{"n": 3}', 3, 'x', now(), '2026-01-02T00:00:00Z')`)
    expect(await db.query('select * from event_queue_summary')).toEqual([
      {
        name: 'a',
        pending: '3',
        failed: '2',
        average_attempts: '1.33',
        first_failure: new Date('2026-01-01T00:00:00Z'),
        last_failure: new Date('2026-01-03T00:00:00Z'),
        most_common_error: 'x',
      },
    ])
    expect(await db.query('select name, total_failed_events from failed_events')).toEqual([
      { name: 'a', total_failed_events: '1' },
    ])
  })

  test('connections are listed by kind without their secrets', async () => {
    const connection = (type: string, url: string | null) =>
      make.insert('connections', { name: type, type, url, password: 'secret' })
    const ids = [
      await connection('slack', 'enc:v1:opaque'),
      await connection('postgres', 'postgres://x'),
      await connection('generic', 'ntfy://x'),
    ].map(({ id }) => id)
    const listed = await db.query<Record<string, unknown>>(
      'select * from connections_list where id = any ($1) order by array_position($1, id)',
      [ids],
    )
    expect(listed.map(({ category }) => category)).toEqual(['notification', '', 'notification'])
    expect(JSON.stringify(listed)).not.toContain('secret')
  })
})

describe('playbooks', () => {
  test('names come with what the spec says', async () => {
    const playbook = await make.aPlaybook({
      title: 'Restart',
      spec: { icon: 'k8s', category: 'Ops', description: 'd' },
    })
    const plain = await make.aPlaybook({ title: 'Plain', category: 'Column', icon: 'i' })
    expect(
      await db.query(
        'select title, icon, category, description from playbook_names where id = any ($1) order by array_position($1, id)',
        [[playbook.id, plain.id]],
      ),
    ).toEqual([
      { title: 'Restart', icon: 'k8s', category: 'Ops', description: 'd' },
      { title: 'Plain', icon: 'i', category: 'Column', description: null },
    ])
  })

  test('agents see the playbooks that run on them', async () => {
    const agent = await make.anAgent({ name: 'edge-1' })
    const playbook = await make.aPlaybook({ spec: { runsOn: ['edge-1', 'nowhere'] } })
    await make.aPlaybook({ spec: { runsOn: ['edge-1'] }, deleted_at: new Date() })
    expect(await db.query('select agent_name, agent_id, playbook_ids from playbooks_for_agent')).toEqual([
      { agent_name: 'edge-1', agent_id: agent.id, playbook_ids: [playbook.id] },
    ])
  })
})

describe('topology', () => {
  test('a component carries logs, checks, teams, incidents, open findings and relations (A8)', async () => {
    const [component, other, check, config, team] = [
      await make.aComponent({ log_selectors: JSON.stringify([{ name: 'app', type: 'x' }]) }),
      await make.aComponent(),
      await make.aCheck({ status: 'healthy' }),
      await make.aConfig(),
      await make.aTeam(),
    ]
    await make.insert('check_component_relationships', {
      component_id: component.id,
      check_id: check.id,
      canary_id: check['canary_id'],
    })
    await make.insert('config_component_relationships', { component_id: component.id, config_id: config.id })
    await make.insert('team_components', { component_id: component.id, team_id: team.id })
    await make.insert('component_relationships', { component_id: other.id, relationship_id: component.id })
    for (const status of ['open', 'resolved'])
      await make.insert('config_analysis', {
        config_id: config.id,
        analyzer: status,
        analysis_type: 'cost',
        severity: 'low',
        status,
      })
    const seen = await db.one(
      'select logs, checks, team_names, incidents, analysis, children, parents from topology where id = $1',
      [component.id],
    )
    expect(seen).toEqual({
      logs: [{ name: 'app' }],
      checks: { healthy: 1 },
      team_names: [team['name']],
      incidents: null,
      analysis: { cost: { low: 1 } },
      children: [other.id],
      parents: null,
    })
    expect(await db.one('select parents from topology where id = $1', [other.id])).toEqual({ parents: [component.id] })
    expect(
      await db.query('select analysis_id from analysis_by_component where component_id = $1', [component.id]),
    ).toHaveLength(1)
    expect(await db.query('select id from checks_by_component where component_id = $1', [component.id])).toEqual([
      { id: check.id },
    ])
    expect(await db.query('select id from check_summary_for_component($1)', [component.id])).toEqual([{ id: check.id }])
    expect(await db.query('select id from lookup_components_by_check($1)', [check.id])).toEqual([{ id: component.id }])
    expect(await db.query('select component_id, role from lookup_components_by_config($1)', [config.id])).toEqual([
      { component_id: component.id, role: 'left' },
    ])
    expect(await db.query('select config_id, type from lookup_configs_by_component($1)', [component.id])).toEqual([
      { config_id: config.id, type: 'Pod' },
    ])
    expect(await db.query('select id from lookup_analysis_by_component($1)', [component.id])).toHaveLength(2)
    expect(await db.query('select id from lookup_component_relations($1)', [component.id])).toEqual([{ id: other.id }])
    expect(await db.query('select id from components_with_logs')).toEqual([{ id: component.id }])
  })

  test('insights are ordered by severity, then name', async () => {
    const [component, b, a] = [
      await make.aComponent(),
      await make.aConfig({ name: 'b' }),
      await make.aConfig({ name: 'a' }),
    ]
    for (const config of [b, a]) {
      await make.insert('config_component_relationships', { component_id: component.id, config_id: config.id })
      for (const severity of ['info', 'critical', 'odd'])
        await make.insert('config_analysis', { config_id: config.id, analyzer: severity, severity, status: 'open' })
    }
    const order = await db.query(
      `select severity || ' ' || name as line from analysis_by_component where component_id = $1`,
      [component.id],
    )
    expect(order.map(({ line }) => line)).toEqual(['critical a', 'critical b', 'info a', 'info b', 'odd a', 'odd b'])
  })

  test('children by parent, with loops, to a depth', async () => {
    const top = await make.aComponent({
      labels: { tier: 'front' },
      properties: JSON.stringify([{ name: 'port', text: '80' }]),
    })
    const middle = await make.aComponent({ parent_id: top.id })
    const bottom = await make.aComponent({ parent_id: middle.id, hidden: true })
    await update('components', top.id, `parent_id = '${bottom.id}'`)
    const levels = async (depth: number) =>
      (await db.query('select child_id, level from lookup_component_children($1, $2)', [top.id, depth])).map(
        ({ child_id, level }) => [child_id, level],
      )
    expect(await levels(-1)).toEqual([
      [top.id, 0],
      [middle.id, 1],
      [bottom.id, 2],
    ])
    expect(await levels(1)).toEqual([
      [top.id, 0],
      [middle.id, 1],
    ])
    expect(await db.query(`select id from lookup_component_by_property('port', '80')`)).toEqual([{ id: top.id }])
    expect(await db.query('select id from component_names where id = any ($1)', [[middle.id, bottom.id]])).toEqual([
      { id: middle.id },
    ])
    expect(await db.query('select key, value from component_labels')).toEqual([{ key: 'tier', value: 'front' }])
  })
})

describe('foreign keys through views', () => {
  /** Columns of a view that are plain columns of a table, read from the catalog as the data API does. */
  const plain = (view: string) =>
    db.query<{ column: string; source: string }>(
      `select distinct c.column_name::text as column, c.table_name || '.' || c.column_name as source
       from information_schema.view_column_usage c where c.view_schema = 'public' and c.view_name = $1`,
      [view],
    )

  test.each([
    ['configs', ['config_items.id', 'config_items.agent_id', 'config_items.scraper_id', 'config_items.created_by']],
    ['config_names', ['config_items.id']],
    [
      'config_detail',
      ['config_items.id', 'config_items.agent_id', 'config_items.scraper_id', 'config_items.parent_id'],
    ],
    ['catalog_changes', ['config_changes.config_id', 'config_items.agent_id']],
    ['config_analysis_items', ['config_analysis.config_id', 'config_analysis.created_by']],
    ['agents_summary', ['agents.created_by']],
    ['canaries_with_status', ['canaries.created_by']],
    ['topologies_with_status', ['topologies.created_by', 'topologies.agent_id']],
    ['config_scrapers_with_status', ['config_scrapers.created_by', 'config_scrapers.agent_id']],
    ['teams_with_status', ['teams.created_by']],
    ['notifications_summary', ['notifications.created_by', 'notifications.person_id', 'notifications.team_id']],
    ['changes_by_component', ['config_changes.config_id', 'config_component_relationships.component_id']],
    ['analysis_by_component', ['config_analysis.config_id', 'config_component_relationships.component_id']],
    ['incident_summary', ['incidents.id', 'incidents.created_by', 'incidents.commander_id']],
    ['connections_list', ['connections.created_by']],
  ])('%s takes its keys straight from the table', async (view, keys) => {
    const sources = (await plain(view)).map(({ source }) => source)
    expect(sources).toEqual(expect.arrayContaining(keys))
  })
})

test('a deleted person can still be shown as author', async () => {
  const team = await make.aTeam({ created_by: systemPerson })
  expect(await db.one('select created_by from teams_with_status where id = $1', [team.id])).toEqual({
    created_by: systemPerson,
  })
})
