import { gzipSync } from 'node:zlib'
import { createServer, type Server } from 'node:http'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { forgetConnections, resolveConnection, resolveTarget } from './connections.ts'
import { ResolveError } from './reference.ts'
import { forgetResolved, resolveEnv, resolveValue } from './resolve.ts'
import { Scrubber } from './scrubber.ts'

const db = await testDatabase()
const ctx = testContext(db)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const release = {
  chart: { values: { auth: { user: 'chart', password: 'chart' } } },
  config: { auth: { password: 'from-helm' } },
}
const asked: string[] = []

/** What a cluster answers, as far as references go. */
const answers: Record<string, unknown> = {
  'GET /api/v1/namespaces/prod/secrets/db': { data: { password: base64('k8s p@ss/word') } },
  'GET /api/v1/namespaces/default/secrets/db': { data: { password: base64('default-pass') } },
  'GET /api/v1/namespaces/prod/configmaps/app': { data: { user: 'app@corp.example' } },
  'POST /api/v1/namespaces/prod/serviceaccounts/robot/token': { status: { token: 'token-1' } },
  'GET /api/v1/namespaces/prod/secrets?labelSelector=owner%3Dhelm%2Cname%3Dredis%2Cstatus%3Ddeployed': {
    items: [
      {
        metadata: { labels: { version: '2' } },
        data: { release: base64(base64(gzipSync(JSON.stringify(release)) as unknown as string)) },
      },
    ],
  },
}
answers['GET /api/v1/namespaces/prod/secrets?labelSelector=owner%3Dhelm%2Cname%3Dredis%2Cstatus%3Ddeployed'] = {
  items: [
    {
      metadata: { labels: { version: '2' } },
      data: { release: base64(gzipSync(JSON.stringify(release)).toString('base64')) },
    },
  ],
}

let api: Server
const home = mkdtempSync(join(tmpdir(), 'qd-home-'))
const oldHome = process.env.HOME
beforeAll(async () => {
  api = createServer((request, response) => {
    const key = `${request.method} ${request.url}`
    asked.push(key)
    const answer = answers[key]
    if (request.headers.authorization !== 'Bearer cluster-token') response.writeHead(401).end('{}')
    else if (key.includes('/slow')) return
    else
      response
        .writeHead(answer ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer ?? { message: 'not found' }))
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  mkdirSync(join(home, '.kube'))
  const server = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  writeFileSync(
    join(home, '.kube/config'),
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
      clusters: [{ name: 'k', cluster: { server } }],
      users: [{ name: 'u', user: { token: 'cluster-token' } }],
    }),
  )
  process.env.HOME = home
})
afterAll(() => {
  process.env.HOME = oldHome
  api.closeAllConnections()
  api.close()
  rmSync(home, { recursive: true, force: true })
})
beforeEach(() => {
  forgetConnections(ctx)
  asked.length = 0
})

async function store(row: Record<string, unknown>): Promise<string> {
  const columns = Object.keys(row)
  const places = columns.map((_, index) => `$${index + 1}`)
  const { id } = await db.one<{ id: string }>(
    `insert into connections (${columns.join(', ')}) values (${places.join(', ')}) returning id`,
    Object.values(row),
  )
  return id
}

describe('values from elsewhere', () => {
  const prod = { namespace: 'prod' }
  test('a cluster’s secrets, config maps, tokens and releases, in the namespace of who asks', async () => {
    expect(await resolveValue(ctx, 'secret://db/password', prod)).toBe('k8s p@ss/word')
    expect(await resolveValue(ctx, { valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } })).toBe(
      'default-pass',
    )
    expect(await resolveValue(ctx, 'configmap://app/user', prod)).toBe('app@corp.example')
    expect(await resolveValue(ctx, 'serviceaccount://robot', prod)).toBe('token-1')
    expect(await resolveValue(ctx, { valueFrom: { helmRef: { name: 'redis', key: '.auth.password' } } }, prod)).toBe(
      'from-helm',
    )
    expect(await resolveValue(ctx, 'helm://redis/auth.user', prod)).toBe('chart')
    expect(await resolveValue(ctx, 'just text')).toBe('just text')
    expect(await resolveValue(ctx, { value: 'v' })).toBe('v')
    expect(await resolveValue(ctx, undefined)).toBeUndefined()
  })
  test('are asked for once and kept', async () => {
    forgetResolved(ctx)
    await Promise.all(Array.from({ length: 20 }, () => resolveValue(ctx, 'secret://db/password', prod)))
    await resolveValue(ctx, 'secret://db/password', prod)
    expect(asked.length).toBeLessThanOrEqual(20)
    const before = asked.length
    await resolveValue(ctx, 'secret://db/password', prod)
    expect(asked.length).toBe(before)
  })
  test('what is not there is said, without a value', async () => {
    await expect(resolveValue(ctx, 'secret://nope/x', prod)).rejects.toThrow(
      'secret://nope/x: there is no such object in namespace prod',
    )
    await expect(resolveValue(ctx, 'secret://db/other', prod)).rejects.toThrow('the secret has no key other')
    await expect(resolveValue(ctx, 'helm://redis/zzz', prod)).rejects.toThrow('the release has no value zzz')
    await expect(resolveValue(ctx, 'env://HOME')).rejects.toThrow('QUARTERDECK_SECRET_ENV')
    await expect(resolveValue(ctx, 'file:///etc/passwd')).rejects.toThrow('QUARTERDECK_SECRET_FILES')
    await expect(resolveValue(ctx, 'secret://nope/x', prod)).rejects.toBeInstanceOf(ResolveError)
  })
  test('allowed environment variables', async () => {
    process.env.QUARTERDECK_SECRET_TEST = 'from-env'
    expect(await resolveValue(ctx, 'env://QUARTERDECK_SECRET_TEST')).toBe('from-env')
    delete process.env.QUARTERDECK_SECRET_TEST
  })
  test('a list of variables becomes a map, secrets are noted', async () => {
    const secrets = new Scrubber()
    const env = await resolveEnv(
      ctx,
      [
        { name: 'USER', value: 'ann' },
        { name: 'API_TOKEN', value: 'tok-123' },
        { name: 'DB', valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } },
        { value: 'nameless' },
      ],
      { ...prod, secrets },
    )
    expect(env).toEqual({ USER: 'ann', API_TOKEN: 'tok-123', DB: 'k8s p@ss/word' })
    expect(secrets.text('ann tok-123 k8s p@ss/word')).toBe('ann *** ***')
  })
})

describe('connections', () => {
  test('are found by id, by namespace and name, by name, and by the old spellings', async () => {
    const id = await store({ name: 'main', namespace: 'prod', type: 'http', url: 'http://prod' })
    await store({ name: 'main', namespace: 'dev', type: 'http', url: 'http://dev' })
    const url = async (reference: string, namespace = 'default') =>
      (await resolveConnection(ctx, reference, { namespace })).url
    expect(await url(id)).toBe('http://prod')
    expect(await url('connection://prod/main')).toBe('http://prod')
    expect(await url('connection://main', 'dev')).toBe('http://dev')
    expect(await url('connection://http/main', 'dev')).toBe('http://dev')
    expect(await url('connection://http/prod/main')).toBe('http://prod')
    expect(await url('https://plain.example/x')).toBe('https://plain.example/x')
    for (const wrong of [
      'connection://prod/none',
      'connection://main',
      'connection://',
      'connection://a/b/c/d',
      '00000000-0000-0000-0000-000000000001',
    ]) {
      await expect(url(wrong)).rejects.toThrow(`The connection ${wrong} does not exist`)
    }
  })
  test('a deleted one is gone', async () => {
    await store({ name: 'gone', namespace: 'prod', type: 'http', url: 'http://x', deleted_at: new Date() })
    await expect(resolveConnection(ctx, 'connection://prod/gone')).rejects.toThrow('does not exist')
  })
  test('are opened: decrypted, references followed, address filled in, password safe inside it', async () => {
    await store({
      name: 'pg',
      namespace: 'prod',
      type: 'postgres',
      url: ctx.secrets.encrypt(
        'postgres://$(username):$(password)@$(properties.host)/$(properties.database)?u={{ .domain }}',
      ),
      username: 'configmap://app/user',
      password: 'secret://db/password',
      properties: JSON.stringify({
        host: 'db.$(namespace).example',
        database: 'x',
        api_key: ctx.secrets.encrypt('k-123'),
      }),
      insecure_tls: false,
    })
    const secrets = new Scrubber()
    const opened = await resolveConnection(ctx, 'connection://prod/pg', { secrets })
    expect(opened).toMatchObject({
      url: 'postgres://app@corp.example:k8s%20p%40ss%2Fword@db.prod.example/x?u=corp.example',
      username: 'app@corp.example',
      password: 'k8s p@ss/word',
      properties: { host: 'db.prod.example', database: 'x', api_key: 'k-123' },
      insecureTls: false,
    })
    expect(new URL(opened.url).hostname).toBe('db.prod.example')
    expect(secrets.text(`${opened.url} ${opened.password} k-123`)).toBe(
      'postgres://app@corp.example:***@db.prod.example/x?u=corp.example *** ***',
    )
  })
  test('what was encrypted is kept out of words, with the path of a webhook and no other', async () => {
    const url = 'https://ann:hunter2@hooks.example/services/T0/B0/xyz'
    const heard = async (type: string) => {
      const row = {
        name: type,
        namespace: 'prod',
        type,
        url: ctx.secrets.encrypt(url),
        username: ctx.secrets.encrypt('user-key'),
      }
      await store(row)
      const secrets = new Scrubber()
      await resolveConnection(ctx, `connection://prod/${type}`, { secrets })
      return secrets.text(`${url} hunter2 user-key at /services/T0/B0/xyz`)
    }
    expect(await heard('slackwebhook')).toBe('*** *** *** at /***')
    expect(await heard('http')).toBe('*** *** *** at /services/T0/B0/xyz')
  })
  test('a name with anything in it stays before the host', async () => {
    const username = String.raw`CORP\us er/1?#[x]:50%@corp`
    const url = 'postgres://$(username):$(password)@db.example/x'
    await store({ name: 'odd', namespace: 'prod', type: 'postgres', url, username, password: 'a b' })
    const parsed = new URL((await resolveConnection(ctx, 'connection://prod/odd')).url)
    expect([parsed.hostname, parsed.pathname]).toEqual(['db.example', '/x'])
    expect([parsed.username, parsed.password].map(decodeURIComponent)).toEqual([username, 'a b'])
  })
  test('an address is made from the parts when none is stored', async () => {
    await store({
      name: 'parts',
      namespace: 'prod',
      type: 'postgres',
      username: 'u',
      password: 'p:w',
      properties: JSON.stringify({ host: 'h:5432', database: 'd' }),
      insecure_tls: true,
    })
    expect((await resolveConnection(ctx, 'connection://prod/parts')).url).toBe(
      'postgres://u:p%3Aw@h:5432/d?sslmode=disable',
    )
  })
  test('a stored password is never read as a template', async () => {
    await store({
      name: 'evil',
      namespace: 'prod',
      type: 'http',
      url: 'http://h/?p=$(password)',
      username: 'u',
      password: '$(username){{.username}}',
    })
    expect((await resolveConnection(ctx, 'connection://prod/evil')).url).toBe(
      'http://h/?p=%24%28username%29%7B%7B.username%7D%7D',
    )
  })
  test('mistakes are told by name, without values', async () => {
    await store({ name: 'broken', namespace: 'prod', type: 'http', url: 'http://$(nope)/', password: 'hidden-value' })
    const error = await resolveConnection(ctx, 'connection://prod/broken').catch((reason: Error) => reason)
    expect((error as Error).message).toContain('The connection prod/broken has a template that cannot be filled in')
    expect((error as Error).message).not.toContain('hidden-value')
    await store({ name: 'foreign', namespace: 'prod', type: 'http', url: `qd1.00000000.${'A'.repeat(60)}` })
    await expect(resolveConnection(ctx, 'connection://prod/foreign')).rejects.toThrow('its key is not in the key file')
  })
  test('the document’s own fields win over the connection’s', async () => {
    await store({ name: 'base', namespace: 'prod', type: 'http', url: 'http://base', username: 'u1', password: 'p1' })
    const target = await resolveTarget(
      ctx,
      { connection: 'connection://prod/base', username: 'u2', password: { value: 'p2' } },
      { namespace: 'prod' },
    )
    expect(target).toMatchObject({ url: 'http://base', username: 'u2', password: 'p2' })
    expect((await resolveTarget(ctx, { connection: 'connection://prod/base', url: 'http://own' })).url).toBe(
      'http://own',
    )
  })
  test('who used it last is kept', async () => {
    const id = await store({ name: 'used', namespace: 'prod', type: 'http', url: 'http://x' })
    await resolveConnection(ctx, id, { usedBy: 'canary prod/shop' })
    await expect
      .poll(
        async () =>
          (await db.one<{ last_used_by: string }>('select last_used_by from connections where id = $1', [id]))
            .last_used_by,
      )
      .toBe('canary prod/shop')
    const { last_used_at, updated_at, created_at } = await db.one<Record<string, Date>>(
      'select last_used_at, updated_at, created_at from connections where id = $1',
      [id],
    )
    expect(last_used_at).toBeInstanceOf(Date)
    expect(updated_at).toEqual(created_at)
  })
})
