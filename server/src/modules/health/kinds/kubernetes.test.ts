import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseKubeconfig } from '../../../platform/kubernetes/client.ts'
import { junit } from './junit.ts'
import { kubernetes } from './kubernetes.ts'
import { kubernetesResource } from './kubernetes-resource.ts'
import { namespace } from './namespace.ts'
import { pod } from './pod.ts'
import { resolveText } from './credentials.ts'
import { fakeServer, json, runOne, testContext } from './testing.ts'

type Stored = Record<string, Record<string, unknown> & { metadata: Record<string, unknown> }>

/** As much of an API server as these checks ask for: discovery, list, get, apply, delete, logs, proxy. */
function apiServer(objects: Stored) {
  const kinds = (names: [string, string, boolean][]) => ({
    resources: names.map(([name, kind, namespaced]) => ({ name, kind, namespaced })),
  })
  return fakeServer((request, response, body) => {
    const url = new URL(request.url!, 'http://x')
    const path = url.pathname
    if (request.headers.authorization !== 'Bearer k8s-token-1') return json(response, { message: 'Unauthorized' }, 401)
    if (path === '/apis')
      return json(response, {
        groups: [
          { preferredVersion: { groupVersion: 'apps/v1' } },
          { preferredVersion: { groupVersion: 'networking.k8s.io/v1' } },
          { preferredVersion: { groupVersion: 'broken/v1' } },
        ],
      })
    if (path === '/api/v1')
      return json(
        response,
        kinds([
          ['pods', 'Pod', true],
          ['pods/log', 'Pod', true],
          ['namespaces', 'Namespace', false],
          ['services', 'Service', true],
          ['nodes', 'Node', false],
          ['configmaps', 'ConfigMap', true],
        ]),
      )
    if (path === '/apis/apps/v1') return json(response, kinds([['deployments', 'Deployment', true]]))
    if (path === '/apis/networking.k8s.io/v1') return json(response, kinds([['ingresses', 'Ingress', true]]))
    if (path.includes('/proxy/')) return response.end('pong')
    if (path.endsWith('/log'))
      return response.end(
        `=== quarterdeck file ./r.xml\n${btoa('<testsuite name="s"><testcase name="ok"/></testsuite>')}\n`,
      )
    if (request.method === 'PATCH') {
      const key = path.replace('/ephemeralcontainers', '')
      if (key !== path)
        (objects[key] as Record<string, unknown>).status = {
          ...(objects[key]!.status as object),
          ephemeralContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }],
        }
      else objects[key] = { ...JSON.parse(body), status: startedStatus(JSON.parse(body)) }
      return json(response, objects[key])
    }
    if (request.method === 'DELETE') {
      const known = objects[path]
      delete objects[path]
      return known ? json(response, {}) : json(response, { message: 'not found' }, 404)
    }
    if (objects[path]) return json(response, objects[path])
    const matches = Object.entries(objects).filter(([key]) => key.startsWith(`${path}/`) || isListOf(path, key))
    const plural = /\/(pods|namespaces|deployments|nodes|configmaps)$/.test(path)
    if (!plural) return json(response, { message: `${path} not found` }, 404)
    const wanted = url.searchParams.get('labelSelector')?.split('=')
    const items = matches
      .map(([, object]) => object)
      .filter(({ metadata }) => !wanted || (metadata.labels as Record<string, string>)?.[wanted[0]!] === wanted[1])
    json(response, { items })
  })
}

const isListOf = (path: string, key: string) => {
  const at = path.lastIndexOf('/')
  return new RegExp(`^${path.slice(0, at)}/namespaces/[^/]+/${path.slice(at + 1)}/[^/]+$`).test(key)
}

function startedStatus(object: { kind: string; spec?: { containers?: { name: string }[] } }) {
  if (object.kind !== 'Pod') return {}
  const conditions = ['PodScheduled', 'Ready', 'ContainersReady', 'Initialized'].map((type) => ({
    type,
    status: 'True',
  }))
  const containerStatuses = object.spec?.containers?.map(({ name }) => ({
    name,
    ready: true,
    state:
      name === 'keep-results'
        ? { running: {} }
        : name === 'tests'
          ? { terminated: { exitCode: 1 } }
          : { running: { startedAt: '2026-01-01T00:00:00Z' } },
  }))
  return { phase: 'Running', conditions, containerStatuses }
}

const objects: Stored = {
  '/api/v1/namespaces/web': {
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name: 'web', labels: { team: 'blue' } },
  },
  '/api/v1/namespaces/db': { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'db', labels: {} } },
  '/api/v1/namespaces/web/pods/good-1': {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'good-1', namespace: 'web', labels: { app: 'a' } },
    status: startedStatus({ kind: 'Pod', spec: { containers: [{ name: 'c' }] } }),
  },
  '/api/v1/namespaces/db/pods/bad-1': {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'bad-1', namespace: 'db', labels: {} },
    status: {
      phase: 'Failed',
      containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 1, reason: 'Error' } } }],
    },
  },
  '/api/v1/namespaces/default/secrets/db': { metadata: { name: 'db' }, data: { password: btoa('from-the-cluster') } },
}
let api: Awaited<ReturnType<typeof fakeServer>>
let kubeconfig: string
beforeAll(async () => {
  api = await apiServer(objects)
  kubeconfig = `
current-context: c
contexts: [{ name: c, context: { cluster: k, user: u, namespace: web } }]
clusters: [{ name: k, cluster: { server: '${api.url}' } }]
users: [{ name: u, user: { token: k8s-token-1 } }]
`
})
afterAll(() => api.close())
const check = (kind: unknown, raw: object, options = {}) => runOne(kind as never, { kubeconfig, ...raw }, options)

describe('kubernetes', () => {
  test('every resource must be healthy, offenders are named', async () => {
    expect(
      await check(kubernetes, { kind: 'Pod', namespaceSelector: { name: 'web' }, healthy: true, ready: true }),
    ).toMatchObject({
      pass: true,
      error: null,
      detail: [{ metadata: { name: 'good-1' }, healthStatus: { health: 'healthy' } }],
    })
    const all = await check(kubernetes, { kind: 'Pod', healthy: true })
    expect(all.pass).toBe(false)
    expect(all.error).toMatch(/^Pod\/db\/bad-1 is unhealthy/)
  })
  test('namespaces by label, resources by name and label, names to ignore', async () => {
    expect((await check(kubernetes, { kind: 'pods', namespaceSelector: { labelSelector: 'team=blue' } })).message).toBe(
      '1 found',
    )
    expect((await check(kubernetes, { kind: 'Pod', resource: { labelSelector: 'app=a' } })).message).toBe('1 found')
    expect((await check(kubernetes, { kind: 'Pod', resource: { name: 'bad-1' } })).message).toBe('1 found')
    expect(await check(kubernetes, { kind: 'Pod', ignore: ['bad-*'], healthy: true })).toMatchObject({ pass: true })
  })
  test('nothing found fails unless there is a test; an unknown kind says so', async () => {
    expect((await check(kubernetes, { kind: 'Deployment' })).error).toBe('no Deployment was found')
    expect(await check(kubernetes, { kind: 'Deployment', test: { expr: 'results.size() == 0' } })).toMatchObject({
      pass: true,
    })
    expect((await check(kubernetes, { kind: 'Rocket' })).error).toBe('the cluster knows no kind "Rocket"')
  })
  test('a refused token is told, and is not in the result', async () => {
    const result = await check(kubernetes, {
      kind: 'Pod',
      kubeconfig: kubeconfig.replace('k8s-token-1', 'wrong-token-2'),
    })
    expect(result.error).toBe('Unauthorized')
    expect(JSON.stringify(result)).not.toContain('wrong-token-2')
  })
})

describe('kubernetesResource', () => {
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'made-{{.canary.name}}', namespace: 'web' },
    data: { a: 'b' },
  }
  const waitFor = { timeout: '2s', interval: '50ms', delete: true }
  test('applies, waits, runs the checks inside and removes', async () => {
    const before = Object.keys(objects).length
    const checks = [
      {
        http: [
          {
            name: 'inner',
            url: `${api.url}/proxy/x`,
            headers: [{ name: 'authorization', value: 'Bearer k8s-token-1' }],
            responseContent: 'pong',
          },
        ],
      },
    ]
    expect(await check(kubernetesResource, { resources: [configMap], checks, waitFor })).toMatchObject({
      pass: true,
      error: null,
    })
    const applied = api.seen.find(
      ({ method, url }) => method === 'PATCH' && url.startsWith('/api/v1/namespaces/web/configmaps/made-n'),
    )!
    expect(JSON.parse(applied.body).metadata.labels).toEqual({
      'canaries.flanksource.com/canary-id': 'c',
      'canaries.flanksource.com/check-id': 'i',
    })
    expect(Object.keys(objects).length).toBe(before)
  })
  test('a failing check inside is tried again and named, resources go anyway', async () => {
    const checks = [{ tcp: [{ name: 'port', endpoint: '127.0.0.1:1' }] }]
    const result = await check(kubernetesResource, {
      resources: [configMap],
      checks,
      checkRetries: { timeout: '200ms', interval: '50ms' },
      waitFor,
    })
    expect(result).toMatchObject({ pass: false, error: expect.stringMatching(/^port: .*ECONNREFUSED/) })
    expect(Object.keys(objects).some((key) => key.includes('made-'))).toBe(false)
  })
  test('waiting ends, too many resources are refused', async () => {
    const waiting = await check(kubernetesResource, {
      resources: [configMap],
      waitFor: { expr: 'false', timeout: '100ms', interval: '50ms' },
    })
    expect(waiting.error).toBe('waiting for the resources took longer than 100 ms')
    expect(await check(kubernetesResource, { resources: Array.from({ length: 11 }, () => configMap) })).toMatchObject({
      invalid: true,
    })
  })
})

const podSpec = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: c, image: x }] }'

test('namespace and pod: every phase, the answer of the pod, and nothing left', async () => {
  const before = Object.keys(objects).length
  const raw = { port: 8080, path: '/ping', expectedContent: 'pong', httpTimeout: 1000 }
  expect(
    await check(namespace, { podSpec, namespaceNamePrefix: 'probe-', namespaceLabels: { a: 'b' }, ...raw }),
  ).toMatchObject({ pass: true, error: null, detail: { schedule: expect.any(Number), http: expect.any(Number) } })
  expect(await check(pod, { spec: podSpec, namespace: 'web', ...raw })).toMatchObject({ pass: true, error: null })
  expect(
    (await check(pod, { spec: podSpec, ...raw, expectedContent: 'other', httpTimeout: 100, httpRetryInterval: 50 }))
      .error,
  ).toContain('no good answer within 100 ms: the answer has other content')
  expect(await check(pod, { spec: ': :', ...raw })).toMatchObject({ invalid: true })
  expect(Object.keys(objects).length).toBe(before)
})

test('junit runs its pod and reads the results from it', async () => {
  const { mkdtempSync, mkdirSync, writeFileSync } = await import('node:fs')
  const home = mkdtempSync('/tmp/qd-home-')
  mkdirSync(`${home}/.kube`)
  writeFileSync(`${home}/.kube/config`, kubeconfig)
  const old = process.env.HOME
  process.env.HOME = home
  const ctx = testContext({}, { db: { query: async () => [] } as never })
  const spec = { containers: [{ name: 'tests', image: 'cypress' }] }
  expect(
    await runOne(junit as never, { testResults: '/results', spec, artifacts: [{ path: '*.xml' }] }, { ctx }),
  ).toMatchObject({ pass: true, error: null, message: '1 passed, 0 failed, 0 skipped' })
  // The same cluster answers references to secrets.
  const secrets: string[] = []
  const run = {
    ctx,
    canary: { namespace: 'default' },
    signal: AbortSignal.timeout(5000),
    secret: (text: string) => secrets.push(text),
  } as never
  expect(await resolveText(run, { valueFrom: { secretKeyRef: { name: 'db', key: 'password' } } })).toBe(
    'from-the-cluster',
  )
  expect(secrets).toContain('from-the-cluster')
  process.env.HOME = old
})

test('kubeconfig: programs that sign in are refused with words', () => {
  expect(() => parseKubeconfig(kubeconfig.replace('token: k8s-token-1', 'exec: { command: aws }'))).toThrow(
    'runs a program to sign in',
  )
  expect(() => parseKubeconfig('{}')).toThrow('no current context')
})
