import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../../config.ts'
import { fakeServer, json } from '../../health/kinds/testing.ts'
import { testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { aScraper, scrape } from '../testing.ts'

const db = await testDatabase()
const ctx = testContext(db)
const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-kinds-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => db.run('delete from config_items'))

const put = (path: string, text: string | Buffer) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const items = () =>
  db.query<{ name: string; config: unknown; source: string }>(
    'select name, config, source from config_items order by name',
  )
const fields = { type: 'Test::Thing', id: '$.id' }
const run = async (spec: object, context = ctx) => scrape(context, await aScraper(db, spec))

describe('file', () => {
  test('reads the files of a folder by their patterns, each in its format', async () => {
    put('racks/a.yaml', 'id: a\nsize: 1\n---\nid: b\n')
    put('racks/deep/c.json', '{"id": "c"}')
    put('racks/deep/d.yml', 'units: [{id: d1}, {id: d2}]')
    put('racks/skip/e.json', '{"id": "e"}')
    put('racks/notes.txt', 'id: f')
    const { problems } = await run({
      file: [
        { ...fields, url: join(folder, 'racks'), ignore: ['skip/**', '**/d.yml'] },
        { ...fields, paths: [join(folder, 'racks/**/d.yml')], items: '$.units' },
      ],
    })
    expect(problems).toEqual([])
    expect((await items()).map(({ name, source }) => [name, source.replace(folder, '')])).toEqual([
      ['a', '/racks/a.yaml'],
      ['b', '/racks/a.yaml'],
      ['c', '/racks/deep/c.json'],
      ['d1', '/racks/deep/d.yml'],
      ['d2', '/racks/deep/d.yml'],
    ])
  })

  test('text and properties', async () => {
    put('text/app.properties', '# comment\nname = shop\nport: 80\n')
    put('text/motd', 'hello')
    await run({
      file: [
        { type: 'Test::Settings', id: '$.name', url: join(folder, 'text'), paths: ['*.properties'] },
        { type: 'Test::Text', id: 'motd', url: join(folder, 'text'), paths: ['motd'], format: 'text' },
      ],
    })
    expect(await items()).toMatchObject([
      { name: 'motd', config: { format: 'text', content: 'hello' } },
      { name: 'shop', config: { name: 'shop', port: '80' } },
    ])
  })

  test('a file that is broken or no UTF-8 is named; the others are stored and nothing is swept', async () => {
    put('bad/broken.json', '{"id": ')
    put('bad/latin.json', Buffer.from('{"id": "caf\xe9"}', 'latin1'))
    put('bad/fine.json', '{"id": "fine"}')
    const { problems } = await run({ file: [{ ...fields, url: join(folder, 'bad') }] })
    expect(problems).toEqual([
      { item: join(folder, 'bad/broken.json'), message: expect.stringContaining('the document is not JSON') },
      { item: 'latin.json', message: 'the file is not UTF-8 text; what is not was replaced', partial: false },
    ])
    expect((await items()).map(({ name }) => name)).toEqual(['caf\uFFFD', 'fine'])
  })

  test('files of the server itself are not read, also through a link', async () => {
    put('own/secret.json', '{"id": "key"}')
    put('links/ok.json', '{"id": "ok"}')
    symlinkSync(join(folder, 'own/secret.json'), join(folder, 'links/link.json'))
    const config = readConfig({
      QUARTERDECK_DATA_DIR: join(folder, 'own'),
      QUARTERDECK_SECRET_FILES: join(folder, 'vault'),
    })
    put('vault/token.json', '{"id": "token"}')
    const { problems } = await run(
      { file: [{ ...fields, url: folder, paths: ['links/*', 'own/*', 'vault/*'] }] },
      { ...ctx, config },
    )
    expect(problems.map(({ item }) => item)).toEqual(['links/link.json', 'vault/token.json'])
    expect(problems[0]!.message).toContain('files of the server itself')
    expect((await items()).map(({ name }) => name)).toEqual(['ok'])
  })

  test('a folder that is not there fails the scrape', async () => {
    const { problems } = await run({ file: [{ ...fields, url: join(folder, 'nowhere') }] })
    expect(problems).toEqual([{ item: 'file[0]', message: `the folder ${join(folder, 'nowhere')} is not there` }])
    expect((await run({ file: [{ ...fields, url: 'relative/path' }] })).problems[0]!.message).toContain(
      'not an absolute path',
    )
  })

  test('a git repository: a folder of it, at a branch', async () => {
    const repository = join(folder, 'repo')
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.test', ...args], {
        cwd: repository,
        stdio: 'pipe',
      })
    mkdirSync(repository)
    git('init', '-q', '-b', 'main')
    put('repo/env/prod.yaml', 'id: prod\nreplicas: 3\n')
    put('repo/other.yaml', 'id: other\n')
    git('add', '.')
    git('commit', '-qm', 'one')
    git('checkout', '-qb', 'next')
    put('repo/env/prod.yaml', 'id: prod\nreplicas: 9\n')
    symlinkSync('/etc/hostname', join(repository, 'env/link.yaml'))
    git('add', '.')
    git('commit', '-qm', 'two')
    const spec = (ref: string) => ({ file: [{ ...fields, url: `git::file://${repository}//env?ref=${ref}` }] })
    expect((await run(spec('main'))).problems).toEqual([])
    expect(await items()).toEqual([
      { name: 'prod', config: { id: 'prod', replicas: 3 }, source: `file://${repository}/prod.yaml` },
    ])
    const { problems } = await run(spec('next'))
    expect(problems).toEqual([
      { item: 'link.yaml', message: 'a link that leads out of the repository is not followed' },
    ])
    expect(await items()).toMatchObject([{ config: { replicas: 9 } }])
    const wrong = await run(spec('absent'))
    expect(wrong.problems[0]!.message).toContain('git fetch failed')
  })
})

describe('http', () => {
  test('one request with credentials and templates; the answer is the document', async () => {
    const server = await fakeServer((request, response) =>
      request.headers.authorization === 'Bearer t0ken-abc'
        ? json(response, { items: [{ id: 'x', echo: 't0ken-abc' }, { id: 'y' }] })
        : json(response, { error: 'who are you' }, 401),
    )
    const source = {
      ...fields,
      url: `${server.url}/list?page={{.page}}`,
      items: '$.items',
      env: [{ name: 'page', value: '2' }],
      headers: { 'X-Team': 'core' },
    }
    const { problems } = await run({ http: [{ ...source, bearer: 't0ken-abc' }, source] })
    server.close()
    expect(server.seen[0]).toMatchObject({ url: '/list?page=2', headers: { 'x-team': 'core' } })
    expect(await items()).toMatchObject([{ name: 'x', config: { id: 'x', echo: '***' } }, { name: 'y' }])
    expect(problems).toEqual([{ item: 'http[1]', message: `${server.url}/list answered 401: {"error":"who are you"}` }])
  })

  test('the network policy holds for scrapers too', async () => {
    const { problems } = await run({ http: [{ ...fields, url: 'http://169.254.169.254/latest/meta-data' }] })
    expect(problems[0]!.message).toMatch(/not allowed|denied|policy/i)
  })
})

describe('sql', () => {
  test('one item per row with its values as text, or the document of a single column; type, id, connection and query are needed', async () => {
    const { problems } = await run({
      sql: [
        {
          type: 'Db::Row',
          id: '$.id',
          name: '$.label',
          connection: db.url,
          query: `select 7 as id, 'seven' as label, true as ok, null as none, now() > now() as later`,
        },
        {
          type: 'Db::Doc',
          id: '$.key',
          connection: db.url,
          query: `select jsonb_build_object('key', 'k' || n, 'n', n) as doc from generate_series(1, 2) n`,
        },
      ],
    })
    expect(problems).toEqual([])
    expect(await items()).toMatchObject([
      { name: 'k1', config: { key: 'k1', n: 1 } },
      { name: 'k2', config: { key: 'k2', n: 2 } },
      { name: 'seven', config: { id: '7', label: 'seven', ok: 'true', later: 'false' } },
    ])
    const { problems: missing } = await run({ sql: [{}] })
    expect(missing.map(({ message }) => message.split(':')[0])).toEqual([
      'sql[0].id',
      'sql[0].type',
      'sql[0].connection',
      'sql[0].query',
    ])
  })

  test('a statement that fails is said without the password', async () => {
    const url = new URL(db.url)
    const { problems } = await run({ sql: [{ ...fields, connection: db.url, query: 'select * from nowhere' }] })
    expect(problems).toEqual([{ item: 'sql[0]', message: 'relation "nowhere" does not exist' }])
    url.password = 'wrong-password'
    const refused = await run({ sql: [{ ...fields, connection: url.href, query: 'select 1' }] })
    expect(refused.problems[0]!.message).not.toContain('wrong-password')
  })
})

describe('exec', () => {
  test('what a script prints is the document', async () => {
    const { problems } = await run({
      exec: [
        { ...fields, format: 'yaml', env: [{ name: 'WHO', value: 'me' }], script: 'echo "id: $WHO"; echo hint >&2' },
      ],
    })
    expect(problems).toEqual([])
    expect(await items()).toMatchObject([{ name: 'me', config: { id: 'me' } }])
  })

  test('is forbidden where scripts are switched off, and ends when its time is up', async () => {
    const config = readConfig({ QUARTERDECK_EXEC: 'off' })
    const off = await run({ exec: [{ ...fields, script: 'echo 1' }] }, { ...ctx, config })
    expect(off.problems[0]!.message).toContain('QUARTERDECK_EXEC=off')
    const late = await run({ exec: [{ ...fields, timeout: 1, script: 'sleep 30' }] })
    expect(late.problems[0]!.message).toBe('the script ran longer than 1 s')
  })
})
