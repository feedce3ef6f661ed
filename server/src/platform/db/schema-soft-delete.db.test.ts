import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { rows, systemPerson } from '../../testing/rows.ts'

const db = await testDatabase()
const make = rows(db)
const update = (table: string, id: string, set: string) => db.run(`update ${table} set ${set} where id = $1`, [id])
const marked = async (table: string, where: string, values: unknown[]) =>
  (await db.query<{ deleted_at: Date | null }>(`select deleted_at from ${table} where ${where}`, values)).map(
    ({ deleted_at }) => deleted_at,
  )

describe('people and agents', () => {
  test('an identity is a person with the same id, name and e-mail', async () => {
    const identity = await make.insert('identities', {
      traits: { email: 'ada@example.test', name: { first: 'Ada', last: 'Example' } },
    })
    const person = () => db.one('select name, email, deleted_at from people where id = $1', [identity.id])
    expect(await person()).toEqual({ name: 'Ada Example', email: 'ada@example.test', deleted_at: null })
    await update('identities', identity.id, `traits = '{"email": "ada@example.test", "name": "Ada Lovelace"}'`)
    expect(await person()).toMatchObject({ name: 'Ada Lovelace' })
  })

  test('a removed identity frees the e-mail and ends its tokens; the person stays for the history', async () => {
    const traits = { email: 'gone@example.test', name: { first: 'Gone' } }
    const identity = await make.insert('identities', { traits })
    await make.insert('access_tokens', { name: 't', person_id: identity.id, value: 'v', created_at: new Date() })
    await db.run('delete from identities where id = $1', [identity.id])
    expect(await marked('people', 'id = $1', [identity.id])).toEqual([expect.any(Date)])
    expect(
      await db.one('select expires_at <= now() as over from access_tokens where person_id = $1', [identity.id]),
    ).toEqual({ over: true })
    await make.insert('identities', { traits })
  })

  test('two live people cannot have one e-mail', async () => {
    await make.aPerson({ email: 'one@example.test' })
    await expect(make.aPerson({ email: 'one@example.test' })).rejects.toMatchObject({ code: '23505' })
  })

  const agentWithEverything = async (row: Record<string, unknown> = {}) => {
    const person = await make.aPerson({ type: 'agent' })
    const agent = await make.anAgent({ person_id: person.id, ...row })
    const of = { agent_id: agent.id }
    await make.insert('access_tokens', { name: 't', person_id: person.id, value: 'v', created_at: new Date() })
    const canary = await make.aCanary(of)
    await make.aCheck({ canary_id: canary.id, ...of })
    await make.insert('topologies', { name: 't', namespace: 'n', ...of })
    await make.aComponent(of)
    await make.insert('config_scrapers', { name: 's', spec: {}, source: 'UI', ...of })
    await make.aConfig(of)
    await make.insert('logging_backends', { name: 'l', spec: {}, ...of })
    return { agent, person }
  }
  const owned = [
    'canaries',
    'checks',
    'topologies',
    'components',
    'config_scrapers',
    'config_items',
    'logging_backends',
  ]
  const tokenIsOver = (person: string) =>
    db.one('select expires_at <= now() as over from access_tokens where person_id = $1', [person])

  test('deleting an agent ends its tokens; its rows go only with cleanup', async () => {
    const { agent, person } = await agentWithEverything()
    await update('agents', agent.id, 'deleted_at = now()')
    expect(await tokenIsOver(person.id)).toEqual({ over: true })
    for (const table of owned) expect(await marked(table, 'agent_id = $1', [agent.id]), table).toEqual([null])
    const other = await agentWithEverything()
    await db.run('update agents set deleted_at = $2, cleanup = true where id = $1', [other.agent.id, 'now()'])
    for (const table of owned)
      expect(await marked(table, 'agent_id = $1', [other.agent.id]), table).toEqual([expect.any(Date)])
  })

  test('nothing is cleaned up for this server itself', async () => {
    await make.aCanary()
    await db.query(`select delete_agent_resources('00000000-0000-0000-0000-000000000000', now())`)
    expect(
      await marked('canaries', `agent_id = '00000000-0000-0000-0000-000000000000' and deleted_at is not null`, []),
    ).toEqual([])
  })

  test('A24: removing the row of an agent ends its tokens too', async () => {
    const person = await make.aPerson()
    const agent = await make.anAgent({ person_id: person.id })
    await make.insert('access_tokens', { name: 't', person_id: person.id, value: 'v', created_at: new Date() })
    await db.run('delete from agents where id = $1', [agent.id])
    expect(await tokenIsOver(person.id)).toEqual({ over: true })
  })
})

describe('health', () => {
  test('A3: a deleted canary or check takes all its links along', async () => {
    const [component, config, canary] = [await make.aComponent(), await make.aConfig(), await make.aCanary()]
    const link = async (check: { id: string; canary_id?: unknown }) => {
      const ends = { check_id: check.id, canary_id: check.canary_id, selector_id: 's' }
      await make.insert('check_component_relationships', { component_id: component.id, ...ends })
      await make.insert('check_config_relationships', { config_id: config.id, ...ends })
    }
    const checks = [await make.aCheck({ canary_id: canary.id }), await make.aCheck({ canary_id: canary.id })]
    for (const check of checks) await link(check)
    await update('checks', checks[0]!.id, 'deleted_at = now()')
    for (const table of ['check_component_relationships', 'check_config_relationships']) {
      expect(await marked(table, 'canary_id = $1 order by check_id', [canary.id]), table).toEqual([
        expect.any(Date),
        null,
      ])
    }
    await update('canaries', canary.id, `deleted_at = '2026-01-01T00:00:00Z'`)
    expect(await marked('checks', 'id = $1', [checks[1]!.id])).toEqual([new Date('2026-01-01T00:00:00Z')])
    for (const table of ['check_component_relationships', 'check_config_relationships']) {
      expect(await marked(table, 'check_id = $1', [checks[1]!.id]), table).toEqual([new Date('2026-01-01T00:00:00Z')])
    }
  })

  test('a name and namespace is taken once per source among live local canaries', async () => {
    const row = { name: 'twice', namespace: 'default' }
    const first = await make.aCanary(row)
    await expect(make.aCanary(row)).rejects.toMatchObject({ code: '23505' })
    await make.aCanary({ ...row, source: 'UI' })
    await expect(make.aCanary({ ...row, source: 'UI' })).rejects.toMatchObject({ code: '23505' })
    await update('canaries', first.id, 'deleted_at = now()')
    await make.aCanary(row)
  })
})

describe('topology', () => {
  test('a deleted component loses its teams and links', async () => {
    const [component, other, config, check, team] = [
      await make.aComponent(),
      await make.aComponent(),
      await make.aConfig(),
      await make.aCheck(),
      await make.aTeam(),
    ]
    await make.insert('team_components', { team_id: team.id, component_id: component.id })
    await make.insert('component_relationships', { component_id: component.id, relationship_id: other.id })
    await make.insert('component_relationships', { component_id: other.id, relationship_id: component.id })
    await make.insert('check_component_relationships', {
      component_id: component.id,
      check_id: check.id,
      canary_id: check['canary_id'],
    })
    await make.insert('config_component_relationships', {
      component_id: component.id,
      config_id: config.id,
      selector_id: 'manual',
    })
    await update('components', component.id, 'deleted_at = now()')
    expect(await db.query('select * from team_components where component_id = $1', [component.id])).toEqual([])
    expect(await marked('component_relationships', '$1 in (component_id, relationship_id)', [component.id])).toEqual([
      expect.any(Date),
      expect.any(Date),
    ])
    expect(await marked('check_component_relationships', 'component_id = $1', [component.id])).toEqual([
      expect.any(Date),
    ])
    expect(await marked('config_component_relationships', 'component_id = $1', [component.id])).toEqual([
      expect.any(Date),
    ])
  })

  test('a deleted team owns nothing', async () => {
    const [component, team] = [await make.aComponent(), await make.aTeam()]
    await make.insert('team_components', { team_id: team.id, component_id: component.id })
    await update('teams', team.id, 'deleted_at = now()')
    expect(await db.query('select * from team_components where team_id = $1', [team.id])).toEqual([])
  })

  test('A2: a component belongs to a team once, whatever selector found it', async () => {
    const [component, team] = [await make.aComponent(), await make.aTeam()]
    for (const selector of ['one', 'two']) {
      await db.run(
        `insert into team_components (team_id, component_id, selector_id) values ($1, $2, $3)
         on conflict (team_id, component_id) do update set selector_id = excluded.selector_id`,
        [team.id, component.id, selector],
      )
    }
    expect(await db.query('select selector_id from team_components where team_id = $1', [team.id])).toEqual([
      { selector_id: 'two' },
    ])
  })

  test('a root is found again and not made twice', async () => {
    const topology = await make.insert('topologies', { name: 'roots', namespace: 'default' })
    const root = { topology_id: topology.id, name: 'root', type: 'Cluster' }
    await make.aComponent(root)
    await expect(make.aComponent(root)).rejects.toMatchObject({ code: '23505' })
  })
})

describe('notifications', () => {
  test('an error is forgotten when the rule or its team changes, and not otherwise', async () => {
    const team = await make.aTeam()
    const rule = await make.aNotification({ team_id: team.id })
    const failed = async () => {
      await update('notifications', rule.id, `error = 'bad filter'`)
    }
    const error = () => db.one('select error from notifications where id = $1', [rule.id])
    await failed()
    await update('notifications', rule.id, `title = 'x'`)
    expect(await error()).toEqual({ error: 'bad filter' })
    await update('notifications', rule.id, `filter = 'true'`)
    expect(await error()).toEqual({ error: null })
    await failed()
    await update('teams', team.id, `icon = 'x'`)
    expect(await error()).toEqual({ error: 'bad filter' })
    await update('teams', team.id, `spec = '{"a": 1}'`)
    expect(await error()).toEqual({ error: null })
  })
})

describe('updated_at', () => {
  const stamp = async (table: string, id: string) =>
    (
      await db.one<{ updated_at: Date | null }>(`select updated_at from ${table} where id = $1`, [id])
    ).updated_at?.toISOString()
  const long_ago = '2020-01-01T00:00:00.000Z'
  const moves = async (table: string, id: string, set: string) => {
    await db.run(`alter table ${table} disable trigger user`)
    await db.run(`update ${table} set updated_at = $2 where id = $1`, [id, long_ago])
    await db.run(`alter table ${table} enable trigger user`)
    await update(table, id, set)
    return (await stamp(table, id)) !== long_ago
  }

  test('moves when something differs, also when the old value is sent along', async () => {
    const team = await make.aTeam()
    expect(await moves('teams', team.id, `icon = 'x', updated_at = '${long_ago}'`)).toBe(true)
    expect(await moves('teams', team.id, `icon = 'x'`)).toBe(false)
    expect(await moves('teams', team.id, 'deleted_at = now()')).toBe(false)
  })

  test('of a canary follows its spec, of a config item its document', async () => {
    const canary = await make.aCanary()
    expect(await moves('canaries', canary.id, `labels = '{"a": "b"}'`)).toBe(false)
    expect(await moves('canaries', canary.id, `spec = '{"a": 1}'`)).toBe(true)
    const item = await make.aConfig({ config: { a: 1 } })
    expect(
      await moves('config_items', item.id, `health = 'healthy', last_scraped_time = now(), config = '{"a": 1}'`),
    ).toBe(false)
    expect(await moves('config_items', item.id, `config = '{"a": 2}'`)).toBe(true)
  })

  test('stays for rows of agents and when only is_pushed is written', async () => {
    const agent = await make.anAgent()
    const theirs = await make.aCheck({ agent_id: agent.id })
    expect(await moves('checks', theirs.id, `icon = 'x'`)).toBe(false)
    const ours = await make.aCheck()
    expect(await moves('checks', ours.id, 'is_pushed = true')).toBe(false)
    // is_pushed is reset by another trigger in the same update, which must not hide the change.
    expect(await moves('checks', ours.id, `icon = 'y'`)).toBe(true)
  })
})

test('is_pushed is unset when anything else changes', async () => {
  const item = await make.aConfig()
  const pushed = async () =>
    (await db.one<{ is_pushed: boolean }>('select is_pushed from config_items where id = $1', [item.id])).is_pushed
  await update('config_items', item.id, 'is_pushed = true')
  expect(await pushed()).toBe(true)
  await update('config_items', item.id, 'name = name')
  expect(await pushed()).toBe(true)
  await update('config_items', item.id, `name = 'other'`)
  expect(await pushed()).toBe(false)
  const replicated = await db.query<{ name: string }>(
    `select tgrelid::regclass::text as name from pg_trigger where tgname = 'unset_is_pushed' and tgparentid = 0 order by 1`,
  )
  expect(replicated).toHaveLength(15)
})

test('the audit log can be added to and nothing else', async () => {
  await make.insert('audit_log', { action: 'test', actor_id: systemPerson, actor_name: 'System' })
  for (const statement of ['update audit_log set action = $$x$$', 'delete from audit_log', 'truncate audit_log']) {
    await expect(db.run(statement)).rejects.toMatchObject({ code: '42501' })
  }
  await db.tx(async (sql) => {
    await sql.query(`select set_config('quarterdeck.audit_retention', 'on', true)`)
    expect(await sql.run('delete from audit_log')).toBe(1)
  })
})

test('a role is stored once, also with empty columns', async () => {
  await make.insert('casbin_rule', { ptype: 'g', v0: 'someone', v1: 'viewer' })
  await expect(make.insert('casbin_rule', { ptype: 'g', v0: 'someone', v1: 'viewer', v2: '' })).rejects.toMatchObject({
    code: '23505',
  })
})
