import {
  type CatalogChange,
  type ChangesAnswer,
  changeSortColumns,
  type SummaryRow,
} from '@quarterdeck/contract/catalog-read'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testContext } from '../../../testing/context.ts'
import { testDatabase } from '../../../testing/database.ts'
import { callAs, routeApp } from '../../../testing/route-app.ts'
import { rows, type Stored, systemPerson } from '../../../testing/rows.ts'
import { catalogReadRoutes } from './catalog-read.routes.ts'

const db = await testDatabase()
const app = await routeApp(testContext(db), catalogReadRoutes())
const make = rows(db)
afterAll(() => app.close())

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const pod = (name: string, row: Record<string, unknown> = {}) =>
  make.aConfig({ name, tags: { namespace: 'shop', cluster: 'eu' }, labels: { app: name }, ...row })
const change = (config_id: string, row: Record<string, unknown> = {}) =>
  make.insert('config_changes', { config_id, change_type: 'diff', severity: 'info', source: 'k8s', ...row })

let web: Stored
let api: Stored
let node: Stored
let lambda: Stored
let gone: Stored
beforeAll(async () => {
  web = await pod('web', { health: 'healthy', status: 'Running', cost_total_30d: 1.5, cost_total_1d: 0.1 })
  api = await pod('api', { health: 'unhealthy', status: 'Failed', cost_total_30d: 2, tags: { namespace: 'bank' } })
  node = await make.aConfig({ name: 'n1', type: 'Kubernetes::Node', config_class: 'Node', tags: {} })
  lambda = await make.aConfig({ name: 'fn', type: 'AWS::Lambda', config_class: 'Function', health: 'warning' })
  gone = await pod('gone', { deleted_at: new Date(), health: 'unhealthy' })
  // node → web → api, and lambda alone.
  for (const [from, to] of [
    [node, web],
    [web, api],
    [web, gone],
  ] as const)
    await db.run('insert into config_relationships (config_id, related_id, relation) values ($1, $2, $3)', [
      from.id,
      to.id,
      'hard',
    ])
  await change(web.id, { created_at: ago(1), summary: 'spec.replicas', severity: 'high', count: 3 })
  await change(web.id, { created_at: ago(30), change_type: 'Pulled', source: 'events, core' })
  await change(api.id, { created_at: ago(2), severity: 'critical', created_by: systemPerson })
  await change(node.id, { created_at: ago(3), external_created_by: 'eva@example.test', severity: 'low' })
  await change(lambda.id, { created_at: ago(72), change_type: 'Deploy', severity: 'medium' })
  await change(gone.id, { created_at: ago(1), change_type: 'Deleted' })
  await change(web.id, { created_at: ago(24 * 40), change_type: 'ancient' })
  const finding = (config_id: string, row: Record<string, unknown>) =>
    make.insert('config_analysis', { config_id, analyzer: 'scan', status: 'open', ...row })
  await finding(web.id, { analysis_type: 'security', last_observed: ago(1) })
  await finding(api.id, { analysis_type: 'security', last_observed: ago(1), status: 'resolved' })
  await finding(api.id, { analysis_type: 'cost', last_observed: ago(24 * 40) })
  await finding(lambda.id, { analysis_type: null, last_observed: ago(5) })
})

describe('POST /catalog/summary', () => {
  const summary = async (body: object = {}) => {
    const answer = await callAs(app, 'viewer', 'POST', '/catalog/summary', body)
    expect(answer.status).toBe(200)
    return answer.body as SummaryRow[] | null
  }
  const usual = {
    groupBy: ['type'],
    deleted: false,
    changes: { since: '30d' },
    analysis: { since: '30d' },
    cost: '30d',
  }
  const byType = (found: SummaryRow[] | null) => Object.fromEntries((found ?? []).map((row) => [row.type, row]))

  test('[CAT-23] counts items, health, changes and findings of 30 days, and sums costs, by type', async () => {
    const found = await summary(usual)
    expect(found?.map(({ type }) => type)).toEqual(['AWS::Lambda', 'Kubernetes::Node', 'Kubernetes::Pod'])
    expect(byType(found)['Kubernetes::Pod']).toMatchObject({
      count: 2,
      health: { healthy: 1, unhealthy: 1 },
      changes: 3,
      analysis: { security: 2 },
      cost_total_30d: 3.5,
      cost_30d: 3.5,
    })
    expect(byType(found)['AWS::Lambda']).toMatchObject({ health: { warning: 1 }, analysis: { other: 1 }, changes: 1 })
    const quiet = byType(found)['Kubernetes::Node']
    expect(quiet).toMatchObject({ count: 1, health: null, analysis: null, cost_30d: null })
    expect(Date.parse(quiet!.created_at!)).toBeGreaterThan(Date.now() - 60_000)
  })

  test('[CAT-24] takes groupBy, deleted, label filter, health, status and windows', async () => {
    expect(byType(await summary({ ...usual, deleted: true }))['Kubernetes::Pod']).toMatchObject({
      count: 3,
      changes: 4,
    })
    expect(await summary({ ...usual, filter: { app: 'web' } })).toMatchObject([{ count: 1, changes: 2 }])
    expect(await summary({ ...usual, health: 'unhealthy,warning' })).toMatchObject([
      { type: 'AWS::Lambda', count: 1 },
      { type: 'Kubernetes::Pod', count: 1, health: { unhealthy: 1 } },
    ])
    expect(await summary({ ...usual, status: '!Running,!Failed', health: '!warning' })).toMatchObject([
      { type: 'Kubernetes::Node' },
    ])
    expect(byType(await summary({ ...usual, changes: { since: '12h' } }))['Kubernetes::Pod']).toMatchObject({
      changes: 2,
    })
    expect(byType(await summary({ ...usual, cost: '1d' }))['Kubernetes::Pod']).toMatchObject({ cost_total_1d: 0.1 })
    expect(byType(await summary({}))['Kubernetes::Pod']).not.toHaveProperty('changes')
  })

  test('[CAT-07] groups by tags, alone or with the type; items without the tag are a group too', async () => {
    const found = await summary({ ...usual, groupBy: ['namespace', 'type'] })
    expect(found?.map((row) => [row.namespace, row.type, row.count])).toEqual([
      ['bank', 'Kubernetes::Pod', 1],
      ['shop', 'Kubernetes::Pod', 1],
      [null, 'AWS::Lambda', 1],
      [null, 'Kubernetes::Node', 1],
    ])
    expect((await summary({ groupBy: ['config_class'] }))?.map((row) => row.config_class)).toEqual([
      'Function',
      'Node',
      'Pod',
    ])
  })

  test('filters by tags', async () => {
    expect(await summary({ tag_selector: 'namespace in (shop,bank),cluster!=eu' })).toMatchObject([{ count: 1 }])
  })

  test('nothing found is null', async () => expect(await summary({ status: 'nowhere' })).toBeNull())

  test('what was just written, or just gone, is in the next answer', async () => {
    const count = async () => byType(await summary(usual))['Fresh::Thing']?.count
    expect(await count()).toBeUndefined()
    const fresh = await make.aConfig({ type: 'Fresh::Thing' })
    expect(await count()).toBe(1)
    await db.run('update config_items set deleted_at = now() where id = $1', [fresh.id])
    expect(await count()).toBeUndefined()
  })

  test('many readers at once get the same as one', async () => {
    const alone = await summary(usual)
    const all = await Promise.all(Array.from({ length: 12 }, () => summary(usual)))
    for (const each of all) expect(each).toEqual(alone)
  })

  test.each([
    [{ cost: '2d' }, 'cost range is not allowed'],
    [{ changes: { since: 'yesterday' } }, 'changes.since'],
    [{ analysis: { since: '-1d' } }, 'analysis.since'],
    [{ groupBy: 'type' }, ''],
    [{ groupBy: ['a\u0000'] }, 'null character'],
    [{ status: 'a\u0000' }, 'null character'],
    [{ tag_selector: 'a in (' }, 'wrong at'],
    [{ filter: { a: 1 } }, ''],
  ])('%j is a 400', async (body, words) => {
    const answer = await callAs(app, 'viewer', 'POST', '/catalog/summary', body)
    expect(answer.status).toBe(400)
    expect((answer.body as { message: string }).message).toContain(words)
  })

  test('hostile words are only words', async () => {
    expect(await summary({ groupBy: [`type') from config_items; drop table config_items; --`] })).toHaveLength(1)
    expect(await summary({ filter: { "a'": '"' } })).toBeNull()
  })

  test('needs somebody who may read', async () =>
    expect((await callAs(app, undefined, 'POST', '/catalog/summary', {})).status).toBe(401))
})

describe('POST /catalog/changes', () => {
  const search = async (body: object = {}) => {
    const answer = await callAs(app, 'viewer', 'POST', '/catalog/changes', body)
    expect(answer.status).toBe(200)
    return answer.body as ChangesAnswer
  }
  const what = (answer: ChangesAnswer) => (answer.changes ?? []).map((c) => `${c.name} ${c.change_type}`)

  test('[CHG-11] the last two days of everything that lives, newest first, with total and types', async () => {
    const answer = await search({ recursive: 'none' })
    expect(what(answer)).toEqual(['web diff', 'api diff', 'n1 diff', 'web Pulled'])
    expect(answer).toMatchObject({ total: 4, summary: { diff: 3, Pulled: 1 } })
    expect(answer.changes![0]).toMatchObject({
      config_id: web.id,
      type: 'Kubernetes::Pod',
      tags: { namespace: 'shop', cluster: 'eu' },
      severity: 'high',
      source: 'k8s',
      summary: 'spec.replicas',
      count: 3,
      created_by: null,
      external_created_by: null,
      agent_id: '00000000-0000-0000-0000-000000000000',
    } satisfies Partial<CatalogChange>)
    expect(what(await search({ include_deleted_configs: true }))).toContain('gone Deleted')
  })

  test('[CHG-03] from and to are date math or instants; without both it is two days', async () => {
    expect(what(await search({ from: 'now-30d' }))).toContain('fn Deploy')
    expect(what(await search({ from: 'now-30d', to: 'now-1d' }))).toEqual(['web Pulled', 'fn Deploy'])
    expect(what(await search({ from: ago(2.5).toISOString(), to: ago(1.5).toISOString() }))).toEqual(['api diff'])
    expect(what(await search({ to: ago(24 * 35).toISOString() }))).toEqual(['web ancient'])
  })

  test('[CHG-04] an item with what is above and below it', async () => {
    expect(what(await search({ id: web.id, recursive: 'none' }))).toEqual(['web diff', 'web Pulled'])
    expect(what(await search({ id: web.id, recursive: 'upstream', depth: 5 }))).toEqual([
      'web diff',
      'n1 diff',
      'web Pulled',
    ])
    expect(what(await search({ id: web.id }))).toEqual(['web diff', 'api diff', 'web Pulled'])
    expect(what(await search({ id: web.id, recursive: 'all' }))).toHaveLength(4)
    expect(what(await search({ id: node.id, recursive: 'downstream', depth: 1 }))).not.toContain('api diff')
  })

  test('[CHG-05] changes of deleted items only when asked for; those of the item itself always', async () => {
    expect(what(await search({ id: web.id, include_deleted_configs: true }))).toContain('gone Deleted')
    expect(what(await search({ id: web.id, include_deleted_configs: false }))).not.toContain('gone Deleted')
    expect(what(await search({ id: gone.id, recursive: 'none' }))).toEqual(['gone Deleted'])
  })

  test('[CHG-02] filters by config type, change type, severity and tags', async () => {
    const from = 'now-30d'
    expect(what(await search({ from, config_type: 'AWS::*' }))).toEqual(['fn Deploy'])
    expect(what(await search({ from, type: '!diff' }))).toEqual(['web Pulled', 'fn Deploy'])
    expect(what(await search({ from, tags: 'namespace in (shop,bank),cluster!=eu' }))).toEqual(['api diff'])
    expect(what(await search({ from, tags: 'namespace=shop' }))).toEqual(['web diff', 'web Pulled'])
  })

  test('a severity is the least that is wanted, with ! one that is not', async () => {
    const from = 'now-30d'
    const severities = async (severity: string) =>
      (await search({ from, severity })).changes?.map((each) => each.severity).sort()
    expect(await severities('high')).toEqual(['critical', 'high'])
    expect(await severities('low')).toEqual(['critical', 'high', 'low', 'medium'])
    expect(await severities('Info')).toHaveLength(5)
    expect(await severities('strange')).toHaveLength(5)
    expect(await severities('!critical')).toEqual(['high', 'info', 'low', 'medium'])
    expect(await severities('critical,low')).toEqual(['critical', 'low'])
  })

  test('filters by source, summary and author; items are encoded one by one', async () => {
    expect(what(await search({ source: encodeURIComponent('events, core') }))).toEqual(['web Pulled'])
    expect(what(await search({ summary: 'spec.*' }))).toEqual(['web diff'])
    expect(what(await search({ created_by: systemPerson }))).toEqual(['api diff'])
    expect(what(await search({ created_by: 'eva%40example.test' }))).toEqual(['n1 diff'])
    expect(what(await search({ created_by: `!${systemPerson},!eva@example.test` }))).toEqual(['web diff', 'web Pulled'])
    expect(what(await search({ id: `${web.id},${node.id}` }))).toEqual(['web diff', 'n1 diff', 'web Pulled'])
    expect(what(await search({ id: `!${web.id}` }))).toEqual(['api diff', 'n1 diff'])
    expect(what(await search({ agent_id: 'local' }))).toHaveLength(4)
    expect(await search({ agent_id: web.id })).toEqual({})
  })

  test('[CHG-01] pages, sorted as asked', async () => {
    const page = (n: number) => search({ page: n, page_size: 3, sort_by: 'name' })
    expect(what(await page(1))).toEqual(['api diff', 'n1 diff', 'web diff'])
    expect(await page(2)).toMatchObject({ total: 4, changes: [{ name: 'web' }] })
    expect(await page(3)).toEqual({ total: 4 })
    expect((await search({ sort_by: '-count' })).changes![0]).toMatchObject({ count: 3 })
    expect((await search({ sort_by: 'severity' })).changes!.map((each) => each.severity)).toEqual([
      'critical',
      'high',
      'low',
      'info',
    ])
  })

  test('pages around an item, by any column, hold what the whole holds', async () => {
    const around = { id: web.id, recursive: 'all', config_type: 'Kubernetes::*' }
    for (const column of changeSortColumns)
      for (const sort_by of [column, `-${column}`]) {
        const all = what(await search({ ...around, sort_by }))
        const page = (n: number) => search({ ...around, sort_by, page: n, page_size: 3 })
        expect([...what(await page(1)), ...what(await page(2))], sort_by).toEqual(all)
        expect(all, sort_by).toHaveLength(4)
        expect(await page(3), sort_by).toEqual({ total: 4 })
      }
    expect(what(await search({ ...around, sort_by: 'name' }))[0]).toBe('api diff')
  })

  test('nothing found is an empty object', async () => expect(await search({ type: 'none of these' })).toEqual({}))

  test('GET answers the same', async () => {
    const { status, body } = await callAs(
      app,
      'viewer',
      'GET',
      `/catalog/changes?id=${web.id}&recursive=none&page=1&page_size=1&include_deleted_configs=true`,
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 2, changes: [{ name: 'web' }] })
  })

  test.each([
    [{ sort_by: 'tags' }, `invalid 'sort_by' param: tags`],
    [{ from: 'now', to: 'now-1d' }, `'from' must be before 'to'`],
    [{ from: 'yesterday' }, `'from' is no time`],
    [{ recursive: 'sideways' }, `'recursive' must be one of`],
    [{ page: 0 }, ''],
    [{ page_size: 100_000 }, ''],
    [{ depth: 'x' }, ''],
    [{ tags: 'a in (' }, 'wrong at'],
    [{ summary: 'a\u0000' }, 'null character'],
    [{ from: 1 }, ''],
  ])('%j is a 400', async (body, words) => {
    const answer = await callAs(app, 'viewer', 'POST', '/catalog/changes', body)
    expect(answer.status).toBe(400)
    expect((answer.body as { message: string }).message).toContain(words)
  })

  test('needs somebody who may read', async () =>
    expect((await callAs(app, undefined, 'POST', '/catalog/changes', {})).status).toBe(401))
})
