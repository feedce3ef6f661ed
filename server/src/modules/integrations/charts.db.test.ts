import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { fakeClock, testContext } from '../../testing/context.ts'
import { testDatabase } from '../../testing/database.ts'
import { callAs, routeApp } from '../../testing/route-app.ts'
import { integrationRoutes } from './integrations.routes.ts'

const db = await testDatabase()
type File = { status?: number; body?: string; hang?: boolean }
const files = new Map<string, File>()
const asked: string[] = []
let registry: Server
let address: string

beforeAll(async () => {
  registry = createServer((request, response) => {
    asked.push(request.url!)
    const file = files.get(request.url!)
    if (file?.hang) return
    response.statusCode = file?.status ?? (file ? 200 : 404)
    response.end(file?.body ?? '')
  })
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
})
afterAll(async () => {
  registry.closeAllConnections()
  await new Promise((resolve) => registry.close(resolve))
})

const clock = fakeClock('2026-01-01T00:00:00Z')
const start = (url = `${address}/main/`) =>
  routeApp(
    testContext(db, { clock, config: readConfig({ QUARTERDECK_DATA_DIR: '/nowhere', QUARTERDECK_CHARTS_URL: url }) }),
    integrationRoutes,
  )
const chart = 'apiVersion: v2\nname: mission-control-aws\nversion: 0.1.9\nappVersion: 1.0\ndescription: Scrapes AWS\n'
const give = (yaml: File, schema?: File) => {
  files.clear()
  asked.length = 0
  files.set('/main/charts/aws/Chart.yaml', yaml)
  if (schema) files.set('/main/charts/aws/values.schema.json', schema)
}

describe('the registry of charts', () => {
  test('[INTEG-11] definition and schema are read from it, and kept for a while', async () => {
    give({ body: chart }, { body: '{"type":"object","properties":{"region":{"type":"string"}}}' })
    const app = await start()
    const answer = await callAs(app, 'viewer', 'GET', '/v1/integrations/charts/aws')
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id: 'aws',
      name: 'mission-control-aws',
      version: '0.1.9',
      app_version: '1',
      description: 'Scrapes AWS',
      schema: { type: 'object', properties: { region: { type: 'string' } } },
    })
    expect(asked.toSorted()).toEqual(['/main/charts/aws/Chart.yaml', '/main/charts/aws/values.schema.json'])
    await callAs(app, 'viewer', 'GET', '/v1/integrations/charts/aws')
    expect(asked).toHaveLength(2)
    clock.add(11 * 60_000)
    await callAs(app, 'viewer', 'GET', '/v1/integrations/charts/aws')
    expect(asked).toHaveLength(4)
  })

  test('a chart without a schema', async () => {
    give({ body: chart })
    const answer = await callAs(await start(), 'viewer', 'GET', '/v1/integrations/charts/aws')
    expect(answer.body).toMatchObject({ name: 'mission-control-aws', schema: null })
  })

  test.each([
    ['a missing chart', { status: 404 }, undefined, /answered 404/],
    ['a broken registry', { status: 500, body: 'secret words of a proxy' }, undefined, /answered 500/],
    ['a page instead of a chart', { body: '<html>sign in</html>' }, undefined, /is no definition of a chart/],
    ['YAML that cannot be read', { body: 'a: [' }, undefined, /is no definition of a chart/],
    ['a schema that is no object', { body: chart }, { body: '[]' }, /is no JSON Schema/],
    ['a schema that is no JSON', { body: chart }, { body: '{' }, /is no JSON Schema/],
  ] as const)('[INTEG-11] %s is told, and asked again next time', async (_, yaml, schema, words) => {
    give(yaml, schema)
    const app = await start()
    const answer = await callAs(app, 'viewer', 'GET', '/v1/integrations/charts/aws')
    expect(answer.status).toBe(502)
    expect(JSON.stringify(answer.body)).toMatch(words)
    expect(JSON.stringify(answer.body)).not.toContain('secret words')
    give({ body: chart })
    expect((await callAs(app, 'viewer', 'GET', '/v1/integrations/charts/aws')).status).toBe(200)
  })

  test('[INTEG-11] a registry that is away, or silent, is told in time', async () => {
    const away = await start('http://127.0.0.1:1')
    const answer = await callAs(away, 'viewer', 'GET', '/v1/integrations/charts/aws')
    expect(answer.status).toBe(502)
    expect(JSON.stringify(answer.body)).toContain('127.0.0.1:1 could not be reached')
    give({ hang: true })
    const began = performance.now()
    const late = await callAs(await start(), 'viewer', 'GET', '/v1/integrations/charts/aws')
    expect(late.status).toBe(502)
    expect(JSON.stringify(late.body)).toContain('did not answer within 5000 ms')
    expect(performance.now() - began).toBeLessThan(9000)
  }, 20_000)

  test('only charts there are, only for who is signed in', async () => {
    const app = await start()
    expect((await callAs(app, 'viewer', 'GET', '/v1/integrations/charts/..%2f..%2fetc')).status).toBe(400)
    expect((await callAs(app, undefined, 'GET', '/v1/integrations/charts/aws')).status).toBe(401)
  })
})
