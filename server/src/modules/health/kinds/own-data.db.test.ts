import { beforeAll, describe, expect, test } from 'vitest'
import { checkSchemas } from '@quarterdeck/contract/checks/index'
import { fileSecrets } from '../../../platform/secrets/file-secrets.ts'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testDatabase } from '../../../testing/database.ts'
import { catalog } from './catalog.ts'
import { http } from './http.ts'
import { checkKinds } from './index.ts'
import { postgres } from './postgres.ts'
import { fakeServer, json, runOne, testContext } from './testing.ts'

const db = await testDatabase()
const secrets = fileSecrets(join(mkdtempSync(join(tmpdir(), 'qd-key-')), 'encryption.key'))
const ctx = testContext({}, { db, secrets })
const check = (kind: unknown, raw: object) => runOne(kind as never, raw, { ctx })

test('every kind of the contract runs, and none beside', () => {
  expect(checkKinds.map(({ key }) => key).toSorted()).toEqual(Object.keys(checkSchemas).toSorted())
  for (const kind of checkKinds) expect(kind.schema).toBe(checkSchemas[kind.key as keyof typeof checkSchemas].schema)
})

describe('catalog', () => {
  beforeAll(async () => {
    await db.run(
      `insert into config_items (config_class, type, name, config, tags, labels, health) values
        ('Node', 'Kubernetes::Node', 'n1', '{"cpu": 4}', '{"namespace": "web"}', '{"tier": "a"}', 'healthy'),
        ('Node', 'Kubernetes::Node', 'n2', '{"cpu": 8}', '{"namespace": "db"}', '{"tier": "b"}', 'unhealthy')`,
    )
  })
  test('items come with their parsed config, the verdict is the test', async () => {
    const selector = [{ types: ['Kubernetes::Node'] }]
    const passing = await check(catalog, {
      selector,
      test: { expr: 'results.all(r, r.config.cpu >= 4) && results.size() == 2' },
    })
    expect(passing).toMatchObject({
      pass: true,
      error: null,
      detail: [{ name: 'n1', config: { cpu: 4 } }, { name: 'n2' }],
    })
    expect(await check(catalog, { selector, test: { expr: "results.all(r, r.health == 'healthy')" } })).toMatchObject({
      pass: false,
    })
  })
  test('several selectors are one list, an empty one matches nothing, nonsense is invalid', async () => {
    expect((await check(catalog, { selector: [{ name: 'n1' }, { labelSelector: 'tier in (a, b)' }] })).message).toBe(
      '2 items',
    )
    expect((await check(catalog, { selector: [{}] })).message).toBe('0 items')
    expect(await check(catalog, { selector: [{ labelSelector: '((' }] })).toMatchObject({ invalid: true })
  })
})

describe('stored connections', () => {
  test('http takes url, login and templates from its connection; the password is not in the result', async () => {
    const server = await fakeServer((request, response) =>
      json(response, { seen: request.headers.authorization, path: request.url }),
    )
    await db.run(
      `insert into connections (name, namespace, type, url, username, password, properties, insecure_tls) values ('api', 'default', 'http', $1, 'ann', $2, '{"region": "eu"}', false)`,
      [`${server.url}/$(properties.region)`, secrets.encrypt('hunter22-secret')],
    )
    const result = await check(http, { connection: 'connection://api', display: { expr: 'content' } })
    expect(result).toMatchObject({ pass: true, error: null })
    expect(result.message).toContain('/eu')
    expect(server.seen[0]!.headers.authorization).toBe(`Basic ${btoa('ann:hunter22-secret')}`)
    expect(JSON.stringify(result)).not.toContain(btoa('ann:hunter22-secret'))
    // Who used it last stands on the connection.
    const lastUse = () =>
      db.one<{ by: string; at: Date }>(
        `select last_used_by as by, last_used_at as at from connections where name = 'api'`,
      )
    await expect.poll(async () => (await lastUse()).by).toBe('canary default/n')
    expect((await lastUse()).at).toBeInstanceOf(Date)
    server.close()
  })
  test('postgres by connection; one that does not exist makes the check invalid', async () => {
    await db.run(`insert into connections (name, namespace, type, url) values ('own', 'default', 'postgres', $1)`, [
      db.url,
    ])
    expect(
      await check(postgres, { connection: 'connection://default/own', query: 'select 42 as answer' }),
    ).toMatchObject({ pass: true, detail: { rows: [{ answer: 42 }] } })
    expect(await check(postgres, { connection: 'connection://default/none' })).toMatchObject({
      invalid: true,
      error: expect.stringContaining('does not exist'),
    })
  })
})

test('queries are templates, unless the canary says otherwise', async () => {
  const raw = { url: db.url, query: "select '$(canary.name)' as text" }
  const rows = async (annotations: Record<string, string>) => {
    const result = await runOne(postgres as never, raw, { ctx, canary: { name: 'shop', annotations } })
    expect(result).toMatchObject({ pass: true, error: null })
    return (result.detail as { rows: object[] }).rows
  }
  expect(await rows({})).toEqual([{ text: 'shop' }])
  expect(await rows({ template: 'true' })).toEqual([{ text: 'shop' }])
  expect(await rows({ template: 'false' })).toEqual([{ text: '$(canary.name)' }])
})
