import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeServer, json } from '../../../health/kinds/testing.ts'
import { azure } from '../azure.ts'
import { aRun, type Collected, scrapeAll } from '../testing.ts'
import { activityChanges } from './activity.ts'
import { resourceOf } from './resources.ts'

vi.setConfig({ testTimeout: 30_000 })
const id = '11111111-2222-4333-8444-555555555555'
const root = `/subscriptions/${id}`
const group = `${root}/resourceGroups/Shop`
const machine = `${group}/providers/Microsoft.Compute/virtualMachines/web-1`
const event = (status: string, at: string, more: object = {}) => ({
  correlationId: 'c-1',
  resourceId: machine,
  operationName: {
    value: 'Microsoft.Compute/virtualMachines/restart/action',
    localizedValue: 'Restart Virtual Machine',
  },
  status: { value: status, localizedValue: status },
  level: 'Warning',
  caller: 'ada@example.com',
  eventTimestamp: at,
  ...more,
})
const lists: Record<string, object[]> = {
  [`${root}/resourcegroups`]: [
    {
      id: group,
      name: 'Shop',
      type: 'Microsoft.Resources/resourceGroups',
      properties: { provisioningState: 'Succeeded' },
    },
  ],
  [`${root}/resources`]: [
    { id: machine, name: 'web-1', type: 'Microsoft.Compute/virtualMachines' },
    {
      id: `${group}/providers/Microsoft.KeyVault/vaults/keys`,
      name: 'keys',
      type: 'Microsoft.KeyVault/vaults',
      createdTime: '2025-05-05T00:00:00Z',
    },
  ],
  [`${root}/providers/Microsoft.Compute/virtualMachines`]: [
    {
      id: machine,
      name: 'web-1',
      location: 'westeurope',
      etag: 'W/1',
      tags: { team: 'blue' },
      properties: { provisioningState: 'Succeeded', timeCreated: '2026-01-01T00:00:00Z' },
    },
  ],
  [`${root}/providers/Microsoft.Network/loadBalancers`]: [
    {
      id: `${group}/providers/Microsoft.Network/loadBalancers/lb`,
      name: 'lb',
      properties: { provisioningState: 'Failed' },
    },
  ],
  [`${root}/providers/Microsoft.Advisor/recommendations`]: [
    {
      id: `${machine}/providers/Microsoft.Advisor/recommendations/r1`,
      name: 'r1',
      properties: {
        category: 'HighAvailability',
        impact: 'High',
        recommendationTypeId: 't-1',
        shortDescription: { problem: 'One machine', solution: 'Use two' },
        resourceMetadata: { resourceId: machine },
      },
    },
  ],
  [`${root}/providers/Microsoft.Insights/eventtypes/management/values`]: [
    event('Succeeded', '2026-02-01T00:02:00Z', { level: 'Informational' }),
    event('Started', '2026-02-01T00:00:00Z'),
    event('Started', '2026-02-01T01:00:00Z', {
      correlationId: 'c-2',
      operationName: { value: 'Microsoft.Advisor/generateRecommendations/action' },
    }),
  ],
}

let fake: Awaited<ReturnType<typeof fakeServer>>
let denied: string[] = []
let filters: string[] = []
function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  const url = new URL(request.url!, 'http://x')
  if (url.pathname === '/tenant-1/oauth2/v2.0/token') {
    const form = new URLSearchParams(body)
    expect(form.get('grant_type')).toBe('client_credentials')
    expect(form.get('scope')).toBe(`${fake.url}/.default`)
    if (form.get('client_secret') !== 'app-secret-1')
      return json(response, { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret' }, 401)
    return json(response, { token_type: 'Bearer', expires_in: 3599, access_token: 'azure-token-1' })
  }
  if (request.headers.authorization !== 'Bearer azure-token-1')
    return json(response, { error: { code: 'AuthenticationFailed', message: 'no' } }, 401)
  if (!url.searchParams.get('api-version'))
    return json(response, { error: { code: 'MissingApiVersionParameter' } }, 400)
  if (denied.some((path) => url.pathname.endsWith(path)))
    return json(response, { error: { code: 'AuthorizationFailed', message: 'may not read' } }, 403)
  if (url.searchParams.has('$filter')) filters.push(url.searchParams.get('$filter')!)
  if (url.pathname === root)
    return json(response, { id: root, subscriptionId: id, displayName: 'Production', state: 'Enabled' })
  if (url.pathname.endsWith('/Microsoft.Sql/servers'))
    return json(response, { error: { code: 'MissingSubscriptionRegistration', message: 'not registered' } }, 409)
  const all = lists[url.pathname] ?? []
  // One entry a page, so that links are followed.
  const at = Number(url.searchParams.get('$skiptoken') ?? 0)
  const next = new URL(url)
  next.searchParams.set('$skiptoken', String(at + 1))
  json(response, {
    value: all.slice(at, at + 1),
    ...(at + 1 < all.length ? { nextLink: `${fake.url}${next.pathname}${next.search}` } : {}),
  })
}

beforeAll(async () => {
  fake = await fakeServer(answer)
})
beforeEach(() => {
  denied = []
  filters = []
})
afterAll(() => fake.close())
const spec = (more: object = {}) => ({
  subscriptionID: id,
  tenantID: 'tenant-1',
  clientID: 'app-1',
  clientSecret: 'app-secret-1',
  endpoint: fake.url,
  loginEndpoint: fake.url,
  ...more,
})
const named = ({ items }: Collected, name: string) => items.filter((item) => item.name === name)
const ids = (item: Collected['items'][number]) =>
  item.parents!.map((ref) => ('externalId' in ref ? ref.externalId : ref.id))

describe('a subscription', () => {
  test('resources with group and subscription above them; the log is changes, advice is insights', async () => {
    const kept = { value: undefined as unknown }
    const startedAt = new Date('2026-02-02T00:00:00Z')
    const all = await scrapeAll(azure, spec(), aRun({ startedAt }, kept))
    expect(all.failure).toBeUndefined()
    expect(all.errors).toEqual([])
    expect(all.items.map(({ type, name }) => `${type} ${name}`)).toEqual([
      'Azure::SUBSCRIPTION Production',
      'Azure::MICROSOFT.RESOURCES/RESOURCEGROUPS Shop',
      'Azure::MICROSOFT.KEYVAULT/VAULTS keys',
      'Azure::MICROSOFT.COMPUTE/VIRTUALMACHINES web-1',
      'Azure::MICROSOFT.NETWORK/LOADBALANCERS lb',
    ])
    const [vm] = named(all, 'web-1')
    expect(vm).toMatchObject({
      id: machine.toLowerCase(),
      configClass: 'VirtualMachine',
      health: 'healthy',
      status: 'Succeeded',
      labels: { team: 'blue' },
      tags: { subscriptionID: id, subscriptionName: 'Production', resourceGroup: 'shop' },
      createdAt: new Date('2026-01-01T00:00:00Z'),
    })
    expect(vm!.config).not.toHaveProperty('etag')
    expect(ids(vm!)).toEqual([group.toLowerCase(), root.toLowerCase()])
    expect(named(all, 'lb')[0]).toMatchObject({ health: 'unhealthy', configClass: 'LoadBalancer' })
    expect(all.changes).toMatchObject([
      {
        item: { externalId: machine.toLowerCase(), type: 'Azure::MICROSOFT.COMPUTE/VIRTUALMACHINES' },
        changeType: 'Microsoft.Compute/virtualMachines/restart/action',
        severity: 'info',
        createdBy: 'ada@example.com',
        createdAt: new Date('2026-02-01T00:00:00Z'),
        updateExisting: true,
        details: { timestamps: { Started: '2026-02-01T00:00:00Z', Succeeded: '2026-02-01T00:02:00Z' } },
      },
      { severity: 'medium' },
    ])
    expect(all.analyses).toMatchObject([
      {
        item: { externalId: machine.toLowerCase() },
        analysisType: 'availability',
        severity: 'high',
        summary: 'One machine',
        message: 'Use two',
      },
    ])
    expect(filters[0]).toBe(
      "eventTimestamp ge '2026-01-26T00:00:00.000Z' and eventTimestamp le '2026-02-02T00:00:00.000Z'",
    )
    await scrapeAll(
      azure,
      spec({ exclusions: { activityLogs: ['Microsoft.Advisor/*'] } }),
      aRun({ startedAt: new Date('2026-02-02T01:00:00Z') }, kept),
    )
    expect(filters.at(-1)).toContain("ge '2026-02-01T23:45:00.000Z'")
  })
  test('what may not be read is told and the rest is read; a refused secret says so', async () => {
    denied = ['/Microsoft.Compute/virtualMachines', '/values']
    const all = await scrapeAll(azure, spec())
    expect(all.errors.map(({ item }) => item)).toEqual(['Microsoft.Compute/virtualMachines', 'activity log'])
    expect(all.errors[0]!.message).toContain('AuthorizationFailed: may not read')
    expect(named(all, 'lb')).toHaveLength(1)
    const run = aRun()
    const wrong = await scrapeAll(azure, spec({ clientSecret: 'wrong-secret-2' }), run)
    expect(wrong.failure?.message).toContain('AADSTS7000215')
    expect(run.secrets).toContain('wrong-secret-2')
    expect((await scrapeAll(azure, { subscriptionID: id })).failure?.message).toContain(
      'tenantID, clientID and clientSecret',
    )
  })
})

test('operations that are left out, and ids of parts', () => {
  const events = lists[`${root}/providers/Microsoft.Insights/eventtypes/management/values`] as Record<string, unknown>[]
  expect(activityChanges(events, ['Microsoft.Advisor/*'])).toHaveLength(1)
  expect(resourceOf(`${group}/providers/Microsoft.Sql/servers/a/databases/b`)).toEqual({
    id: `${group}/providers/Microsoft.Sql/servers/a`.toLowerCase(),
    type: 'Azure::MICROSOFT.SQL/SERVERS',
  })
  expect(resourceOf(group)).toMatchObject({ type: 'Azure::MICROSOFT.RESOURCES/RESOURCEGROUPS' })
  expect(resourceOf('nothing')).toBeUndefined()
})
