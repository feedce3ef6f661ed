import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { installQueue } from '../../platform/queue/queue.ts'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { applyPaths } from './apply-command.ts'
import { applyFirstStart, firstStartFolder } from './first-start.ts'
import { type FolderState, freshState, syncFolder, watchFolder } from './watch.ts'

const db = await testDatabase()
const ctx = testContext(db)
const base = mkdtempSync(join(tmpdir(), 'quarterdeck-watch-'))
let folder = ''
let state: FolderState
let counter = 0

beforeAll(() => installQueue(db))
afterAll(() => rmSync(base, { recursive: true }))
beforeEach(async () => {
  await db.run('delete from canaries')
  await db.run('delete from resource_files')
  await db.run('delete from job_history')
  folder = join(base, `f${++counter}`)
  mkdirSync(folder)
  state = freshState()
})

const canary = (name: string, schedule = '@every 1m', more = '') =>
  `apiVersion: canaries.flanksource.com/v1\nkind: Canary\nmetadata: {name: ${name}}\nspec: {schedule: "${schedule}"${more}}\n`
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const live = async () =>
  (
    await db.query<{ name: string; schedule: string }>(
      `select name, spec ->> 'schedule' as schedule from canaries where deleted_at is null order by name`,
    )
  ).map((row) => `${row.name} ${row.schedule}`)
const history = () =>
  db.query<{ status: string; details: { errors?: string[] } }>(
    `select status, details from job_history where name = 'SyncResourceFiles' order by created_at desc, id desc`,
  )

describe('a watched folder', () => {
  test('is kept in step: added, changed and deleted files', async () => {
    write('a.yaml', canary('a'))
    expect(await syncFolder(ctx, folder, state)).toBe(true)
    expect(await live()).toEqual(['a @every 1m'])
    expect(await syncFolder(ctx, folder, state)).toBe(false)
    write('a.yaml', canary('a', '@every 2m'))
    write('b.yml', canary('b'))
    await syncFolder(ctx, folder, state)
    expect(await live()).toEqual(['a @every 2m', 'b @every 1m'])
    rmSync(join(folder, 'a.yaml'))
    await syncFolder(ctx, folder, state)
    expect(await live()).toEqual(['b @every 1m'])
    expect(await db.query('select from canaries where deleted_at is not null')).toHaveLength(1)
  })

  test('includes folders and links below it, and leaves hidden files and other endings out', async () => {
    mkdirSync(join(folder, 'team/blue'), { recursive: true })
    mkdirSync(join(folder, '.git'))
    mkdirSync(join(folder, '..data'))
    write(
      'team/blue/a.json',
      JSON.stringify({
        apiVersion: 'canaries.flanksource.com/v1',
        kind: 'Canary',
        metadata: { name: 'deep' },
        spec: { schedule: '@every 1m' },
      }),
    )
    write('.git/a.yaml', canary('git'))
    write('..data/b.yaml', canary('linked'))
    symlinkSync('..data/b.yaml', join(folder, 'b.yaml'))
    symlinkSync('..', join(folder, 'team/loop'))
    write('notes.txt', canary('text'))
    await syncFolder(ctx, folder, state)
    expect(await live()).toEqual(['deep @every 1m', 'linked @every 1m'])
  })

  test('a bad file is a line in the job history with its place; its rows stay, the others come', async () => {
    write('a.yaml', canary('a'))
    await syncFolder(ctx, folder, state)
    write('a.yaml', 'kind: [')
    write('b.yaml', canary('b', 'never ever'))
    write('c.yaml', canary('c'))
    await syncFolder(ctx, folder, state)
    expect(await live()).toEqual(['a @every 1m', 'c @every 1m'])
    const [latest] = await history()
    expect(latest?.status).toBe('WARNING')
    expect(latest?.details.errors?.[0]).toMatch(/^a.yaml, document 1, line 1/)
    expect(latest?.details.errors?.find((line) => line.startsWith('b.yaml'))).toMatch(
      /^b.yaml, document 1, line 4, spec.schedule: /,
    )
  })

  test('that vanishes takes nothing with it; one that stays empty does', async () => {
    write('a.yaml', canary('a'))
    await syncFolder(ctx, folder, state)
    renameSync(folder, `${folder}-away`)
    expect(await syncFolder(ctx, folder, state)).toBe(false)
    mkdirSync(folder)
    const now = performance.now()
    expect(await syncFolder(ctx, folder, state, now)).toBe(false)
    expect(await live()).toHaveLength(1)
    expect(await syncFolder(ctx, folder, state, now + 61_000)).toBe(true)
    expect(await live()).toEqual([])
  })

  test('puts right what was changed elsewhere, when its time comes', async () => {
    write('a.yaml', canary('a'))
    const now = performance.now()
    await syncFolder(ctx, folder, state, now)
    await db.run(`update canaries set spec = '{"schedule":"@every 9m"}'`)
    expect(await syncFolder(ctx, folder, state, now + 60_000)).toBe(false)
    await syncFolder(ctx, folder, state, now + 301_000)
    expect(await live()).toEqual(['a @every 1m'])
  })

  test('and the command line do not fight over a document', async () => {
    write('a.yaml', canary('a'))
    await syncFolder(ctx, folder, state)
    const other = join(base, 'other.yaml')
    writeFileSync(other, canary('a', '@every 7m'))
    const refused = await applyPaths(ctx, { paths: [other] })
    expect(refused.problems[0]?.message).toContain('the watched folder keeps this one')
    writeFileSync(other, canary('z'))
    await applyPaths(ctx, { paths: [other] })
    write('z.yaml', canary('z', '@every 3m'))
    await syncFolder(ctx, folder, state)
    expect(await live()).toEqual(['a @every 1m', 'z @every 3m'])
  })

  test('watching: a new file is there in a moment, a folder may appear later', async () => {
    rmSync(folder, { recursive: true })
    const watch = watchFolder(ctx, folder)
    try {
      await new Promise((resolve) => setTimeout(resolve, 100))
      mkdirSync(folder)
      write('a.yaml', canary('a'))
      await expect.poll(live, { timeout: 8000 }).toEqual(['a @every 1m'])
      write('b.yaml', canary('b'))
      await expect.poll(live, { timeout: 6000, interval: 50 }).toEqual(['a @every 1m', 'b @every 1m'])
      rmSync(join(folder, 'a.yaml'))
      await expect.poll(live, { timeout: 6000 }).toEqual(['b @every 1m'])
    } finally {
      await watch.stop()
    }
  })
})

describe('documents of the first start', () => {
  const edit = (spec: string) => db.run('update canaries set spec = $1', [spec])

  test('become ordinary rows that can be edited and deleted', async () => {
    write('self.yaml', canary('self', '@every 1m', ', http: [{name: a, url: "${SELF_URL}/healthz"}]'))
    await applyFirstStart(ctx, folder)
    const row = await db.one<{ source: string; spec: { http: { url: string }[] } }>('select source, spec from canaries')
    expect(row.source).toBe('UI')
    expect(row.spec.http[0]?.url).toBe('http://127.0.0.1:3000/healthz')
  })

  test('come once: one that was deleted stays away, one that was edited is left alone', async () => {
    write('self.yaml', canary('self'))
    await applyFirstStart(ctx, folder)
    await edit('{"schedule":"@every 5m"}')
    write('self.yaml', canary('self', '@every 2m'))
    await applyFirstStart(ctx, folder)
    expect(await live()).toEqual(['self @every 5m'])
    await db.run('update canaries set deleted_at = now()')
    await applyFirstStart(ctx, folder)
    expect(await live()).toEqual([])
    await db.run('delete from canaries')
    await applyFirstStart(ctx, folder)
    expect(await db.query('select from canaries')).toEqual([])
  })

  test('follow the product while nobody touched them', async () => {
    write('self.yaml', canary('self', '@every 1m', ', http: [{name: a, url: "${SELF_URL}/healthz"}]'))
    await applyFirstStart(ctx, folder)
    const moved = { ...ctx, config: { ...ctx.config, PORT: 4000 } }
    await applyFirstStart(moved, folder)
    expect(await db.one(`select spec #>> '{http,0,url}' as url from canaries`)).toEqual({
      url: 'http://127.0.0.1:4000/healthz',
    })
  })

  test('a row of that name that was there before is left alone, for ever', async () => {
    await db.run(
      `insert into canaries (name, namespace, spec, source) values ('self', 'default', '{"schedule":"@every 9m"}', 'UI')`,
    )
    write('self.yaml', canary('self'))
    await applyFirstStart(ctx, folder)
    write('self.yaml', canary('self', '@every 2m'))
    await applyFirstStart(ctx, folder)
    expect(await live()).toEqual(['self @every 9m'])
  })

  test('an untouched one can be taken into the watched folder', async () => {
    write('self.yaml', canary('self'))
    await applyFirstStart(ctx, folder)
    write('self.yaml', canary('self', '@every 3m'))
    await syncFolder(ctx, folder, state)
    expect(await db.one('select source from canaries')).toEqual({ source: 'ConfigFile' })
    await applyFirstStart(ctx, folder)
    expect(await live()).toEqual(['self @every 3m'])
  })

  test('several processes that start together apply them once', async () => {
    write('self.yaml', canary('self'))
    await Promise.all(Array.from({ length: 5 }, () => applyFirstStart(ctx, folder)))
    expect(await live()).toHaveLength(1)
  })

  test('those of the product are good, and the watched folder above them does not keep them', async () => {
    await applyFirstStart(ctx)
    expect((await live()).length).toBeGreaterThan(0)
    await syncFolder(ctx, join(firstStartFolder, '..'), state)
    expect(await db.query(`select from canaries where source = 'ConfigFile'`)).toEqual([])
  })
})
