import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { callAs, routeApp } from '../../testing/route-app.ts'
import { rows, type Stored } from '../../testing/rows.ts'
import { selectorRoutes } from './selectors.routes.ts'

const db = await testDatabase()
const app = await routeApp(testContext(db), selectorRoutes)
const make = rows(db)
const nil = '00000000-0000-0000-0000-000000000000'
afterAll(() => app.close())

let pod: Stored
let check: Stored
let component: Stored
beforeAll(async () => {
  pod = await make.aConfig({ name: 'web-1', tags: { namespace: 'shop', cluster: 'eu' }, labels: { app: 'web' } })
  await make.aConfig({ name: 'web-2', type: 'AWS::EC2', tags: { namespace: 'shop' } })
  await make.aConfig({ name: 'gone', deleted_at: new Date() })
  check = await make.aCheck({ name: 'basket', namespace: 'web', icon: 'http', labels: { team: 'blue' } })
  component = await make.aComponent({ name: 'gateway', type: 'Service', labels: { tier: 'edge' } })
})
const search = (body: unknown) => callAs(app, 'viewer', 'POST', '/resources/search', body as object)

describe('POST /resources/search', () => {
  test('answers the kinds that were asked for and found', async () => {
    const { status, body } = await search({
      configs: [{ types: ['Kubernetes::Pod'], tagSelector: 'cluster=eu' }],
      checks: [{ search: 'BAS' }],
      components: [{ labelSelector: 'tier in (edge)' }],
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      configs: [
        {
          id: pod.id,
          agent: nil,
          name: 'web-1',
          namespace: 'shop',
          type: 'Kubernetes::Pod',
          tags: { namespace: 'shop', cluster: 'eu' },
        },
      ],
      checks: [
        {
          id: check.id,
          agent: nil,
          name: 'basket',
          namespace: 'web',
          type: 'http',
          icon: 'http',
          tags: { team: 'blue' },
        },
      ],
      components: [
        { id: component.id, agent: nil, name: 'gateway', namespace: '', type: 'Service', tags: { tier: 'edge' } },
      ],
    })
  })
  test('several selectors of a kind add up; kinds without a find are left out', async () => {
    const { body } = await search({
      configs: [{ name: 'web-1' }, { types: ['AWS*'] }],
      checks: [{ name: 'nope' }],
      components: [],
    })
    expect((body as { configs: { name: string }[] }).configs.map(({ name }) => name)).toEqual(['web-1', 'web-2'])
    expect(Object.keys(body as object)).toEqual(['configs'])
  })
  test('an empty selector finds nothing', async () => {
    expect((await search({ configs: [{}], checks: [{ search: '' }] })).body).toEqual({})
    expect((await search({})).body).toEqual({})
  })
  test('deleted rows only when asked for', async () => {
    expect((await search({ configs: [{ name: 'gone' }] })).body).toEqual({})
    expect((await search({ configs: [{ name: 'gone', includeDeleted: true }] })).body).toMatchObject({
      configs: [{ name: 'gone' }],
    })
  })
  test('nulls and unknown keys of other clients are taken', async () => {
    expect(
      (
        await search({
          configs: [{ name: 'web-1', types: null, search: null, statuses: undefined, other: 1 }],
          checks: null,
        })
      ).body,
    ).toMatchObject({ configs: [{ id: pod.id }] })
  })
  test.each([
    [{ configs: [{ labelSelector: 'a in (' }] }, 'The selector "a in (" is wrong at'],
    [{ configs: [{ name: 'a\u0000b' }] }, 'null character'],
    [{ configs: 'x' }, ''],
    [{ configs: [{ types: 'Pod' }] }, ''],
  ])('a wrong body is refused: %j', async (body, words) => {
    const answer = await search(body)
    expect(answer.status).toBe(400)
    expect((answer.body as { message: string; error: string }).message).toContain(words)
    expect((answer.body as { error: string }).error).toBe((answer.body as { message: string }).message)
  })
  test('needs somebody who may read', async () => {
    expect((await callAs(app, undefined, 'POST', '/resources/search', { configs: [{}] })).status).toBe(401)
  })
})
