import { connectionKinds } from '@quarterdeck/contract/connections/index'
import type { Values } from '@quarterdeck/contract/connections/kind'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { probes } from './index.ts'
import { type Trial, tried } from './testing.ts'

/** Small servers that answer as the documentation of each service says; no such service can be had here. */

type Answer = [status: number, body?: unknown, headers?: Record<string, string>]
type Handler = (request: IncomingMessage & { path: string; body: string }) => Answer

const secret = 'right-secret-1'
const wrong = 'wrong-secret-2'
const isBearer = ({ headers }: IncomingMessage) => headers.authorization === `Bearer ${secret}`
const isBasic = ({ headers }: IncomingMessage, user: string) =>
  headers.authorization === `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
const yes = (good: boolean, status = 401): Answer => (good ? [200, { ok: true }] : [status, { message: 'denied' }])

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const handlers: Record<string, Handler> = {
  azure: ({ path, body }) => {
    const form = new URLSearchParams(body)
    const isRight = path === '/contoso/oauth2/v2.0/token' && form.get('client_secret') === secret
    return isRight && form.get('scope') === 'https://graph.microsoft.com/.default'
      ? [200, { access_token: 'token-of-azure' }]
      : [401, { error: 'invalid_client' }]
  },
  // A wrong token gets the page to sign in.
  azure_devops: (request) =>
    request.path.startsWith('/_apis/profile/profiles/me') && isBasic(request, '')
      ? [200, { id: 'me' }]
      : [203, '<html>Sign in</html>', { 'content-type': 'text/html' }],
  discord: ({ path }) => yes(path === `/webhooks/42/${secret}`),
  dynatrace: ({ path, headers }) =>
    yes(path === '/api/v2/problems?pageSize=1' && headers.authorization === `Api-Token ${secret}`),
  elasticsearch: (request) => yes(request.path === '/base/_cluster/health' && isBasic(request, 'ann')),
  opensearch: (request) => yes(request.path === '/_cluster/health' && isBasic(request, 'ann')),
  github: (request) => yes(request.path === '/user' && isBearer(request)),
  gitlab: ({ path, headers }) => yes(path === '/api/v4/user' && headers['private-token'] === secret),
  google_cloud: google('/v1/projects?pageSize=1'),
  gcs: google('/storage/v1/b/backups'),
  http: (request) => yes(isBasic(request, 'ann')),
  loki: (request) => yes(request.path === '/loki/api/v1/labels' && isBasic(request, 'ann')),
  matrix: ({ path, body, headers }) => {
    const { password, identifier } = (body ? JSON.parse(body) : {}) as {
      password?: string
      identifier?: { user: string }
    }
    if (path === '/_matrix/client/v3/logout') return yes(headers.authorization === 'Bearer session-1')
    return password === secret && identifier?.user === 'bot' ? [200, { access_token: 'session-1' }] : [403, {}]
  },
  ntfy: (request) => yes(request.path.startsWith('/ops%20room/json?poll=1') && isBasic(request, 'ann')),
  opsgenie: ({ path, headers }) =>
    yes(path === '/v2/alerts?limit=1' && headers.authorization === `GenieKey ${secret}`, 422),
  prometheus: (request) => yes(request.path === '/api/v1/status/config' && isBasic(request, 'ann')),
  pushbullet: ({ path, headers }) => yes(path === '/v2/users/me' && headers['access-token'] === secret),
  pushover: ({ path, body }) => {
    const form = new URLSearchParams(body)
    const good = path === '/1/users/validate.json' && form.get('token') === secret && form.get('user') === 'u1'
    return good ? [200, { status: 1 }] : [400, { status: 0, errors: ['application token is invalid'] }]
  },
  // Slack says no with the code 200.
  slack: (request) =>
    request.path === '/auth.test' && isBearer(request)
      ? [200, { ok: true }]
      : [200, { ok: false, error: 'invalid_auth' }],
  slackwebhook: ({ path, method }) =>
    path === `/services/${secret}` && method === 'POST' ? [400, 'no_text'] : [404, 'no_service'],
  telegram: ({ path }) => yes(path === `/bot${secret}/getMe`),
  webhook: ({ path, method }) => (path === `/hook/${secret}` && method === 'OPTIONS' ? [405] : [404]),
  generic_webhook: ({ path, method }) => (path === `/hook/${secret}?a=1` && method === 'OPTIONS' ? [204] : [403]),
  zulip_chat: (request) => yes(request.path === '/api/v1/users/me' && isBasic(request, 'bot@z.test')),
  kubernetes: (request) => yes(request.path === '/api/v1/namespaces/default/pods?limit=1' && isBearer(request)),
}

function google(path: string): Handler {
  return (request) => {
    if (request.path === '/token') {
      const assertion = new URLSearchParams(request.body).get('assertion') ?? ''
      const claims = JSON.parse(Buffer.from(assertion.split('.')[1]!, 'base64url').toString()) as { iss: string }
      return claims.iss === 'robot@g.test' ? [200, { access_token: secret }] : [400, { error: 'invalid_grant' }]
    }
    return yes(request.path === path && isBearer(request))
  }
}

/** The values of each form; `at` is where the server is, `key` the secret. */
const forms: Record<string, (at: { url: string; host: string; port: number }, key: string) => Trial & object> = {
  azure: ({ url }, key) => ({ username: 'client', password: key, tenant: 'contoso', more: { url } }),
  azure_devops: ({ url }, key) => ({ url, username: 'acme', password: key }),
  discord: ({ url }, key) => ({ username: '42', password: key, endpoint: url }),
  dynatrace: ({ host }, key) => ({ host, password: key, scheme: 'http' }),
  elasticsearch: ({ url }, key) => ({ url: `${url}/base/`, username: 'ann', password: key }),
  opensearch: ({ host }, key) => ({ url: `http://$(username):$(password)@${host}`, username: 'ann', password: key }),
  github: ({ url }, key) => ({ url, password: key }),
  gitlab: ({ url }, key) => ({ url, password: key }),
  google_cloud: ({ url }, key) => ({ url, certificate: account(url, key) }),
  gcs: ({ url }, key) => ({ endpoint: url, bucket: 'backups', certificate: account(url, key) }),
  http: ({ url }, key) => ({ url, username: 'ann', password: key }),
  loki: ({ url }, key) => ({ url, username: 'ann', password: key }),
  matrix: ({ host }, key) => ({ host, username: 'bot', password: key, insecure_tls: true }),
  ntfy: ({ host }, key) => ({ host, topic: 'ops room', username: 'ann', password: key, insecure_tls: true }),
  opsgenie: ({ port }, key) => ({ host: '127.0.0.1', port, password: key, more: { insecure_tls: true } }),
  prometheus: ({ url }, key) => ({ url, username: 'ann', password: key }),
  pushbullet: ({ url }, key) => ({ password: key, targets: 'a', endpoint: url }),
  pushover: ({ url }, key) => ({ username: 'u1', password: key, endpoint: url }),
  slack: ({ url }, key) => ({ username: 'ops', password: key, endpoint: url }),
  slackwebhook: ({ url }, key) => ({ url: `${url}/services/${key}` }),
  telegram: ({ url }, key) => ({ username: '1', password: key, endpoint: url }),
  webhook: ({ url }, key) => ({ url: `${url}/hook/${key}` }),
  generic_webhook: ({ url }, key) => ({ webhook: `${url}/hook/${key}?a=1` }),
  zulip_chat: ({ host }, key) => ({ host, username: 'bot@z.test', password: key, insecure_tls: true }),
  kubernetes: ({ url }, key) => ({
    certificate: JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
      clusters: [{ name: 'k', cluster: { server: url } }],
      users: [{ name: 'u', user: { token: key } }],
    }),
  }),
}
const account = (url: string, key: string) =>
  JSON.stringify({
    client_email: key === secret ? 'robot@g.test' : 'nobody@g.test',
    private_key: pem,
    token_uri: `${url}/token`,
  })

const overTls = ['opsgenie', 'zulip_chat']
let current: Handler
const open: Server[] = []
const listen = async (server: Server) => {
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
function listener(request: IncomingMessage, response: ServerResponse) {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    const [status, answer, headers] = current(Object.assign(request, { path: request.url!, body }))
    response.writeHead(status, headers).end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? ''))
  })
}
let plain: number
let secure: number
beforeAll(async () => {
  const file = (name: string) => readFileSync(new URL(`../../../platform/network/testdata/${name}`, import.meta.url))
  plain = await listen(createServer(listener))
  secure = await listen(
    createTlsServer({ cert: file('test-cert.pem'), key: file('test-key.pem') }, listener) as unknown as Server,
  )
})
afterAll(() => {
  for (const server of open) {
    server.closeAllConnections()
    server.close()
  }
})

const place = (port: number) => ({ url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, port })
function attempt(type: string, key: string, port?: number): Promise<string> {
  current = handlers[type]!
  const { more, ...values } = forms[type]!(place(port ?? (overTls.includes(type) ? secure : plain)), key)
  return tried(type, values as Values, { more })
}

describe.each(Object.keys(handlers))('%s', (type) => {
  test('works', async () => expect(await attempt(type, secret)).toBe('ok'))
  test('a wrong credential is refused, and does not appear', async () => {
    const words = await attempt(type, wrong)
    expect(words).not.toBe('ok')
    expect(words).not.toContain(wrong)
    expect(words).toMatch(/40\d|422|not accepted|invalid|denied/)
  })
  test('nobody there', async () => {
    const words = await attempt(type, secret, 1)
    expect(words).toMatch(/refused|ECONNREFUSED/)
    expect(words).not.toContain(secret)
  })
})

test('what is declared as testable is, and nothing else', () => {
  expect(Object.keys(probes).toSorted()).toEqual(
    connectionKinds
      .filter(({ test: words }) => words !== undefined)
      .map(({ type }) => type)
      .toSorted(),
  )
})

test('what is missing is said before anything is dialled', async () => {
  expect(await tried('slack', { username: 'ops' })).toBe('the bot token is missing')
  expect(await tried('azure', { username: 'x', password: 'y' })).toBe('the tenant is missing')
  expect(await tried('http', { url: 'ftp://x' })).toContain('http:// or https://')
  expect(await tried('gcs', {})).toBe('the bucket is missing')
})

test('the network policy holds for every type that dials', async () => {
  const settings = { QUARTERDECK_NETWORK_DENY: '127.0.0.0/8,::1/128' }
  for (const type of Object.keys(handlers)) {
    current = handlers[type]!
    const { more, ...values } = forms[type]!(place(plain), secret)
    expect(await tried(type, values as Values, { more, settings }), type).toContain('network policy')
  }
})

test('Prometheus takes a bearer token, HTTP follows no redirect with credentials to elsewhere', async () => {
  current = (request) => yes(isBearer(request))
  expect(await tried('prometheus', { url: place(plain).url, bearer: secret })).toBe('ok')
  current = (request) =>
    request.path === '/' ? [302, '', { location: `http://localhost:${plain}/in` }] : yes(!request.headers.authorization)
  expect(await tried('http', { url: place(plain).url, username: 'ann', password: secret })).toBe('ok')
})

test('a kubeconfig that is none says so, without itself', async () => {
  expect(await tried('kubernetes', { certificate: 'apiVersion: v1 token: hunter2' })).toBe(
    'the kubeconfig is neither YAML nor a file that this server can read (ENOENT)',
  )
})
