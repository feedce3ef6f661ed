import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { openDb } from './db.ts'
import { type Embedded, type EmbeddedOptions, runningEmbedded, startEmbedded } from './embedded.ts'
import { type ClusterState, readState } from './postgres-cluster.ts'

const db = await testDatabase()
const isRoot = process.getuid?.() === 0

test('a test file has a database of its own', async () => {
  await db.run('create table only_here (id int)')
  expect(await db.run('insert into only_here values (1), (2)')).toBe(2)
})

describe('the embedded database', () => {
  let folder: string
  const servers: Embedded[] = []
  const told: string[] = []

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quarterdeck-embedded-'))
    chmodSync(folder, 0o755)
    told.length = 0
  })
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()))
    const home = readState(folder)?.home
    rmSync(folder, { recursive: true, force: true })
    if (home?.startsWith('/var/lib/quarterdeck/')) rmSync(home, { recursive: true, force: true })
  })

  async function start(options: EmbeddedOptions = {}): Promise<Embedded> {
    const settings = ['fsync=off', 'shared_buffers=16MB']
    const server = await startEmbedded(folder, { settings, tell: (line) => told.push(line), ...options })
    servers.push(server)
    return server
  }
  async function ask(url: string, sql: string) {
    const client = openDb({ url, max: 1 })
    return client.query(sql).finally(() => client.close())
  }
  const pidFile = () => join(readState(folder)!.home, 'postgres/postmaster.pid')
  const postmaster = () => Number(readFileSync(pidFile(), 'utf8').split('\n')[0])
  const killed = async (pid: number) => {
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => existsSync(`/proc/${pid}/exe`), { interval: 10 }).toBe(false)
  }

  test('keeps its data and its port, wants a password and tells nobody', async () => {
    const first = await start({ database: 'shop' })
    await ask(first.url, 'create table kept as select 42 as answer')
    expect(statSync(join(folder, 'postgres.json')).mode & 0o777).toBe(0o600)
    const open = first.url.replace(/:[^:@]+@/, ':wrong@')
    await expect(ask(open, 'select 1')).rejects.toMatchObject({ code: '28P01' })
    expect(runningEmbedded(folder, 'shop')).toBe(first.url)
    await first.stop()
    servers.length = 0
    expect(runningEmbedded(folder, 'shop')).toBeUndefined()
    const second = await start({ database: 'shop' })
    expect(second.url).toBe(first.url)
    expect(await ask(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(told).toEqual(['Creating the database (once) …'])
  })

  test('writes safely unless told otherwise', async () => {
    const server = await start({ settings: [] })
    const rows = await ask(
      server.url,
      `select name, setting from pg_settings where name in ('fsync', 'listen_addresses', 'synchronous_commit') order by 1`,
    )
    expect(rows.map((row) => row.setting)).toEqual(['on', '127.0.0.1', 'on'])
  })

  test('a server that still runs is adopted', async () => {
    const first = await start()
    const second = await start()
    expect(second.url).toBe(first.url)
    expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a killed server is started again on the same port', async () => {
    const words: string[] = []
    const server = await start({ report: (_, line) => words.push(line) })
    await ask(server.url, 'create table kept as select 1 as one')
    await killed(postmaster())
    await expect.poll(() => words, { timeout: 15_000 }).toContain('the embedded database runs again')
    expect(await ask(server.url, 'select one from kept')).toEqual([{ one: 1 }])
  })

  test('a pid file of a process that is something else does not stop the start', async () => {
    const first = await start()
    await first.stop()
    servers.length = 0
    writeFileSync(pidFile(), `${process.pid}\n${join(folder, 'postgres')}\n1\n5432\n\n127.0.0.1\n1 1\nready\n`)
    const second = await start()
    expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a start cut short while the cluster was made leaves nothing behind', async () => {
    mkdirSync(join(folder, 'postgres.new'))
    writeFileSync(join(folder, 'postgres.new/PG_VERSION'), '18\n')
    const server = await start()
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a lost password file is replaced', async () => {
    const first = await start()
    await first.stop()
    servers.length = 0
    rmSync(join(folder, 'postgres.json'))
    const second = await start()
    expect(second.url).not.toBe(first.url)
    expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('a cluster of another major version is refused', async () => {
    mkdirSync(join(folder, 'postgres'))
    writeFileSync(join(folder, 'postgres/PG_VERSION'), '15\n')
    await expect(start()).rejects.toThrow(/was made by PostgreSQL 15, this Quarterdeck brings PostgreSQL 18/)
  })

  test.runIf(isRoot)("for root behind a closed folder the cluster goes to the system's place", async () => {
    chmodSync(folder, 0o700)
    const server = await start()
    const state = readState(folder) as ClusterState
    expect(state.home).toMatch(/^\/var\/lib\/quarterdeck\//)
    expect(told.join('\n')).toContain(
      `The database is kept in ${state.home}: its user "nobody" cannot reach ${folder}.`,
    )
    expect(existsSync(join(folder, 'postgres'))).toBe(false)
    expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    servers.length = 0
    const again = await start()
    expect(again.url).toBe(server.url)
    expect(dirname(pidFile())).toBe(join(state.home, 'postgres'))
  })
})
