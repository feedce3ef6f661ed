import { afterEach, describe, expect, test } from 'vitest'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { createLive, type Live } from './live.ts'
import { readPosition } from './position.ts'

const db = await testDatabase()
const { log } = testContext(db)
const open: Live[] = []

afterEach(() => Promise.all(open.splice(0).map((live) => live.close())))

function live(compareEveryMs = 60_000): Live {
  const made = createLive({ db, log, compareEveryMs })
  open.push(made)
  return made
}
function heardBy(stream: Live) {
  const changes: { relation: string; ids: string[]; id: number; at: number }[] = []
  let missed = 0
  stream.subscribe({
    change: (id, change) => void changes.push({ id, ...change, at: performance.now() }),
    missed: () => missed++,
  })
  return {
    changes,
    missed: () => missed,
    of: (relation: string) => changes.filter((each) => each.relation === relation),
  }
}
const connected = (stream: Live) => expect.poll(() => stream.listener.connected).toBe(true)
const cutListeners = () =>
  db.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'quarterdeck-listen'`)

const addTeam = (name: string) =>
  db.one<{ id: string }>(
    `insert into teams (name, created_by) select $1, id from people where name = 'System' returning id`,
    [name],
  )

describe('changes', () => {
  test('are heard by every process at once, with relation and ids', async () => {
    const [one, two] = [live(), live()]
    const [first, second] = [heardBy(one), heardBy(two)]
    await Promise.all([connected(one), connected(two)])
    const before = performance.now()
    const { id } = await addTeam('alpha')
    await expect.poll(() => [first.of('teams').length, second.of('teams').length], { interval: 5 }).toEqual([1, 1])
    expect(first.of('teams')[0]).toMatchObject({ relation: 'teams', ids: [id] })
    expect(first.of('teams')[0]!.at - before).toBeLessThan(2000)
  })

  test('of a transaction that rolls back are never heard', async () => {
    const stream = live()
    const heard = heardBy(stream)
    await connected(stream)
    await db
      .tx(async (sql) => {
        await sql.run(`insert into teams (name, created_by) select 'ghost', id from people where name = 'System'`)
        throw new Error('no')
      })
      .catch(() => undefined)
    await addTeam('real')
    await expect.poll(() => heard.of('teams').length).toBe(1)
  })

  test('of many rows are one message without ids', async () => {
    const stream = live()
    const heard = heardBy(stream)
    await connected(stream)
    await db.run(
      `insert into teams (name, created_by) select 'many-' || n, p.id from people p, generate_series(1, 200) n where p.name = 'System'`,
    )
    await expect.poll(() => heard.of('teams')).toMatchObject([{ ids: [] }])
  })

  test('on channels of other parts come over the same connection', async () => {
    const stream = live()
    await connected(stream)
    const heard: string[] = []
    const stop = stream.listener.on('some_channel', (payload) => void heard.push(payload))
    await expect
      .poll(async () => {
        await db.query(`select pg_notify('some_channel', 'hello')`)
        return heard.length
      })
      .toBeGreaterThan(0)
    stop()
    const { count } = await db.one<{ count: string }>(
      `select count(*) from pg_stat_activity where datname = current_database() and application_name = 'quarterdeck-listen'`,
    )
    expect(Number(count)).toBe(1)
  })
})

describe('coming back', () => {
  test('changes after a number are told again, with those that were committed late', async () => {
    const stream = live()
    await addTeam('b1')
    const seen = await db.one<{ id: string }>('select max(id) as id from live_changes')
    await addTeam('b2')
    const rows = await stream.changesAfter({ id: Number(seen.id) })
    expect(rows!.filter((row) => row.id > Number(seen.id))).toMatchObject([{ relation: 'teams' }])
  })

  test('a slow transaction with a low number is among them', async () => {
    const stream = live()
    let slow = () => undefined as void
    const gate = new Promise<void>((resolve) => (slow = resolve))
    const late = db.tx(async (sql) => {
      await sql.run(`insert into properties (name, value) values ('slow', '1')`)
      await gate
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    await addTeam('quick')
    const seen = await db.one<{ id: string }>('select max(id) as id from live_changes')
    slow()
    await late
    const rows = await stream.changesAfter({ id: Number(seen.id) })
    expect(rows!.some((row) => row.relation === 'properties' && row.id < Number(seen.id))).toBe(true)
  })

  test('from a position it is exactly what was not to be seen there, however numbers and commits are mixed', async () => {
    const stream = live()
    let commit = () => undefined as void
    const gate = new Promise<void>((resolve) => (commit = resolve))
    let drawn = () => undefined as void
    const isDrawn = new Promise<void>((resolve) => (drawn = resolve))
    const late = db.tx(async (sql) => {
      await sql.run(`insert into properties (name, value) values ('slow at the position', '1')`)
      drawn()
      await gate
    })
    await isDrawn
    const seen = await addTeam('seen at the position')
    const position = readPosition(await stream.position())!
    expect(await stream.changesAfter(position)).toEqual([])
    const later = await addTeam('after the position')
    commit()
    await late
    const rows = (await stream.changesAfter(position))!
    expect(rows.map(({ relation, ids }) => [relation, ids])).toEqual([
      ['properties', ['slow at the position']],
      ['teams', [later.id]],
    ])
    expect(rows.flatMap((row) => row.ids)).not.toContain(seen.id)
  })

  test('what is no longer kept, or was never numbered here, is not known', async () => {
    const stream = live()
    await addTeam('c1')
    expect(await stream.changesAfter({ id: 10_000_000 })).toBeUndefined()
    const { id } = await db.one<{ id: string }>('select min(id) as id from live_changes')
    await addTeam('c2')
    await db.query('select prune_live_changes(1)')
    expect(await stream.changesAfter({ id: Number(id) })).toBeUndefined()
    await db.run('delete from live_changes')
    expect(await stream.changesAfter({ id: Number(id) })).toBeUndefined()
    const newest = await db.one<{ id: string }>('select last_value as id from live_change_ids')
    expect(await stream.changesAfter({ id: Number(newest.id) })).toEqual([])
  })
})

describe('a listening connection that breaks', () => {
  test('is made again, and subscribers are told that they missed something', async () => {
    const stream = live()
    const heard = heardBy(stream)
    await connected(stream)
    await cutListeners()
    await expect.poll(heard.missed, { timeout: 5000 }).toBe(1)
    await addTeam('after the break')
    await expect.poll(() => heard.of('teams').length).toBeGreaterThan(0)
  })

  test('without notice is found by comparing with the table', async () => {
    const deaf = {
      on: () => () => undefined,
      onReconnect: () => () => undefined,
      connected: true,
      close: async () => undefined,
    }
    const stream = createLive({ db, log, compareEveryMs: 40, listener: deaf })
    open.push(stream)
    const heard = heardBy(stream)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await addTeam('unheard')
    await expect.poll(() => heard.of('teams').length).toBe(1)
  })
})

test('a message that is not ours is ignored', async () => {
  const stream = live()
  const heard = heardBy(stream)
  await connected(stream)
  for (const text of ['', 'no json', '{}', '[]', '{"relation":1}'])
    await db.query(`select pg_notify('quarterdeck_live', $1)`, [text])
  await addTeam('still alive')
  await expect.poll(() => heard.of('teams').length).toBe(1)
  expect(heard.changes).toHaveLength(1)
})
