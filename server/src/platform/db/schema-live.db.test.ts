import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { rows } from '../../testing/rows.ts'

const db = await testDatabase()
const make = rows(db)

interface Message {
  relation: string
  ids: string[]
}

/** Messages sent by `work`, in order, as consoles hear them and as they are kept for those who come back. */
async function announced(work: () => Promise<unknown>): Promise<Message[]> {
  const client = await db.pool.connect()
  const heard: (Message & { id: number })[] = []
  client.on('notification', ({ payload }) => {
    expect(Buffer.byteLength(payload!)).toBeLessThan(8000)
    heard.push(JSON.parse(payload!))
  })
  const { last } = await db.one<{ last: string }>(
    `select case when is_called then last_value else 0 end as last from live_change_ids`,
  )
  try {
    await client.query('listen quarterdeck_live')
    await work()
    await client.query('select 1')
    await expect
      .poll(async () => {
        await client.query('select 1')
        return heard.length
      })
      .toBe((await db.one<{ n: number }>('select count(*)::int as n from live_changes where id > $1', [last])).n)
    const kept = await db.query('select id::int as id, relation, ids from live_changes where id > $1 order by id', [
      last,
    ])
    expect(heard.toSorted((a, b) => a.id - b.id)).toEqual(kept)
    return heard.map(({ relation, ids }) => ({ relation, ids }))
  } finally {
    client.release(true)
  }
}

test('one message per statement with the rows it touched', async () => {
  const teams = [await make.aTeam(), await make.aTeam()]
  const ids = teams.map(({ id }) => id)
  const [message, ...more] = await announced(() => db.run(`update teams set icon = 'x' where id = any ($1)`, [ids]))
  expect(more).toEqual([])
  expect(message!.relation).toBe('teams')
  expect(message!.ids.toSorted()).toEqual(ids.toSorted())
})

test('a statement that touches nothing says nothing', async () => {
  expect(await announced(() => db.run(`update teams set icon = 'x' where name = 'nobody'`))).toEqual([])
  expect(await announced(() => db.run(`delete from event_queue where name = 'nobody'`))).toEqual([])
})

test('more than 50 rows are "any row"', async () => {
  const insert = () => db.run(`insert into people (name) select 'p' || i from generate_series(1, 51) i`)
  expect(await announced(insert)).toEqual([{ relation: 'people', ids: [] }])
})

test('ids too long to send are left out', async () => {
  const insert = () =>
    db.run(`insert into properties (name, value) select repeat('x', 900) || i, 'on' from generate_series(1, 10) i`)
  expect(await announced(insert)).toEqual([{ relation: 'properties', ids: [] }])
})

test('a batch of results is one message for the history and one for the checks', async () => {
  const checks = [await make.aCheck(), await make.aCheck()]
  const ids = checks.map(({ id }) => id).toSorted()
  const messages = await announced(() =>
    db.run(
      `with stored as (insert into check_statuses (check_id, time, status, duration) select unnest($1::uuid[]), now(), true, 5)
       update checks set last_runtime = now() where id = any ($1)`,
      [ids],
    ),
  )
  expect(messages.map(({ relation }) => relation).toSorted()).toEqual(['check_statuses', 'checks'])
  for (const message of messages) expect(message.ids.toSorted()).toEqual(ids)
})

test('seeing an item unchanged is no news, a changed health is', async () => {
  const item = await make.aConfig()
  expect(
    await announced(() => db.run('update config_items set last_scraped_time = now() where id = $1', [item.id])),
  ).toEqual([])
  const messages = await announced(() => db.run(`update config_items set status = 'Failed' where id = $1`, [item.id]))
  expect(messages).toEqual([{ relation: 'config_items', ids: [item.id] }])
})

test('the queue is announced once per transaction', async () => {
  const messages = await announced(() =>
    db.tx(async (sql) => {
      for (let index = 0; index < 5; index += 1)
        await sql.query(`select queue_event('x', jsonb_build_object('n', $1::int))`, [index])
    }),
  )
  expect(messages).toEqual([{ relation: 'event_queue', ids: [] }])
})

test('nothing is announced of what is rolled back', async () => {
  const failing = () =>
    db.tx(async (sql) => {
      await sql.query(`insert into people (name) values ('never')`)
      throw new Error('no')
    })
  expect(await announced(() => failing().catch(() => undefined))).toEqual([])
})

test('only the newest messages are kept', async () => {
  for (let index = 0; index < 5; index += 1) await make.aPerson()
  await db.query('select prune_live_changes(2)')
  expect(await db.one('select count(*)::int as n from live_changes')).toEqual({ n: 2 })
})

describe('coverage', () => {
  /** Tables nobody shows, or that hold what is announced under another name. */
  const silent = [
    'access_token_scopes',
    'access_tokens',
    'artifact_blobs',
    'audit_log',
    'check_size_summary',
    'check_status_summary',
    'check_statuses_1d',
    'check_statuses_1h',
    'comment_responders',
    'config_change_aliases',
    'config_change_fingerprints',
    'config_change_undos',
    'config_item_facts',
    'config_item_scrapes',
    'config_item_states',
    'config_scraper_states',
    'config_values',
    'identity_addresses',
    'identity_credentials',
    'identity_flows',
    'identity_limits',
    'identity_sessions',
    'live_changes',
    'migration_logs',
    'migration_objects',
    'outgoing_mails',
    'playbook_action_agent_data',
    'resource_files',
    'severities',
    'worker_heartbeats',
  ]

  test('every other table announces inserts, updates and deletes', async () => {
    const relations = await db.query<{ name: string; triggers: string[] }>(`
      select c.relname as name, array_remove(array_agg(t.tgname::text order by t.tgname), null) as triggers
      from pg_class c left join pg_trigger t on t.tgrelid = c.oid and t.tgname like 'announce\\_%'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by 1 order by 1`)
    const all = ['announce_deleted', 'announce_inserted', 'announce_updated']
    const wrong = relations.filter(({ name, triggers }) =>
      silent.includes(name) ? triggers.length > 0 : triggers.join() !== all.join(),
    )
    expect(wrong).toEqual([])
  })
})
