import { generateKeyPairSync } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { alertName, matchersOf } from './alertmanager.ts'
import { azureDevops } from './azure-devops.ts'
import { databaseBackup } from './database-backup.ts'
import { digestHeader } from '../../../platform/clients/digest.ts'
import { dynatrace } from './dynatrace.ts'
import { elasticsearch, opensearch } from './elasticsearch.ts'
import { folder } from './folder.ts'
import { github } from './github.ts'
import { prometheus } from './prometheus.ts'
import { fakeServer, type Handler, json, runOne } from './testing.ts'

const open: (() => void)[] = []
afterEach(() => open.splice(0).forEach((close) => close()))
async function fake(handler: Handler) {
  const server = await fakeServer(handler)
  open.push(server.close)
  return server
}
const check = (kind: unknown, raw: object) => runOne(kind as never, raw)

describe('elasticsearch and opensearch', () => {
  const answer = { hits: { total: { value: 3 }, hits: [{ _id: 'a' }] } }
  test('the number of hits must be exact', async () => {
    const { url, seen } = await fake((_, response) => json(response, answer))
    const raw = { url, index: 'logs-*', query: '{"query":{"match_all":{}}}', username: 'ann', password: 'hunter22' }
    expect(await check(elasticsearch, { ...raw, results: 3 })).toMatchObject({ pass: true, detail: answer })
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/logs-*/_search',
      body: raw.query,
      headers: { authorization: `Basic ${btoa('ann:hunter22')}` },
    })
    expect(await check(elasticsearch, raw)).toMatchObject({
      pass: false,
      error: '3 hits, expected exactly 0',
      detail: null,
    })
    expect(await check(opensearch, { ...raw, results: 3 })).toMatchObject({ pass: true, detail: 3 })
  })
  test('a body that is no JSON is invalid, an error is told in its words', async () => {
    const { url } = await fake((_, response) => json(response, { error: 'no such index' }, 404))
    expect(await check(elasticsearch, { url, query: '{' })).toMatchObject({ invalid: true })
    expect((await check(elasticsearch, { url })).error).toContain('no such index')
  })
})

describe('prometheus', () => {
  test('bearer, digest and their secrets', async () => {
    const data = { resultType: 'vector', result: [{ metric: { a: 'b' }, value: [1, '4.5'] }] }
    const { url, seen } = await fake((request, response) => {
      if (request.headers.authorization?.startsWith('Bearer') || request.headers.authorization?.startsWith('Digest'))
        return json(response, { status: 'success', data })
      response.writeHead(401, { 'www-authenticate': 'Digest realm="r", nonce="n", qop="auth"' }).end('{}')
    })
    expect(
      await check(prometheus, { url, query: 'x', bearer: 'tok-12345', test: { expr: 'value == 4.5' } }),
    ).toMatchObject({ pass: true, labels: { a: 'b' } })
    expect(
      await check(prometheus, { url, query: 'x', digest: true, username: 'u', password: 'hunter22' }),
    ).toMatchObject({ pass: true })
    expect(seen.at(-1)!.headers.authorization).toContain('uri="/api/v1/query?query=x"')
  })
  // RFC 2617, section 3.5.
  test('the digest of the standard', () => {
    const offered =
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"'
    const header = digestHeader(
      offered,
      { username: 'Mufasa', password: 'Circle Of Life', method: 'GET', path: '/dir/index.html' },
      '0a4f113b',
    )
    expect(header).toContain('response="6629fae49393a05397450978507c4ef1"')
  })
})

test('alertmanager: names are one pattern, and the name of an alert', () => {
  expect(
    matchersOf({ alerts: ['A', 'B'], ignore: ['C'], filters: { env: 'p"x' }, exclude_filters: { team: 'z' } }),
  ).toEqual(['alertname=~"A|B"', 'alertname!~"C"', 'env=~"p\\"x"', 'team!="z"'])
  expect(alertName({ alertname: 'A', namespace: 'n', deployment: 'd', pod: 'p', container: 'c', job: 'c' })).toBe(
    'A/n/d',
  )
})

describe('github', () => {
  test('REST with pages, GraphQL and select', async () => {
    const { url, seen } = await fake((request, response) => {
      if (request.url === '/graphql') return json(response, { data: { viewer: { login: 'ann' } } })
      if (request.url!.includes('page=2')) return json(response, [{ number: 2, title: 'two', body: 'x' }])
      response.setHeader('link', `<${url}${request.url}&page=2>; rel="next"`)
      json(response, [{ number: 1, title: 'one', body: 'x' }])
    })
    // An address in place of a connection is one.
    const raw = { connection: url, githubToken: 'ghp_123456' }
    expect(
      await check(github, { ...raw, query: '/repos/a/b/issues?state=open', test: { expr: 'results.size() == 2' } }),
    ).toMatchObject({ pass: true, error: null })
    expect(
      await check(github, {
        ...raw,
        query: 'query { viewer { login } }',
        test: { expr: "results[0].viewer.login == 'ann'" },
      }),
    ).toMatchObject({ pass: true, error: null })
    const selected = await check(github, {
      ...raw,
      query: "select number, title from github_repo_issues where owner = 'a' and repo = 'b' and state = 'open' limit 1",
    })
    expect(selected).toMatchObject({ pass: true, detail: [{ number: 1, title: 'one' }] })
    expect(seen.some(({ url: path }) => path.startsWith('/repos/a/b/issues?per_page=100&state=open'))).toBe(true)
    expect(seen.every(({ headers }) => headers.authorization === 'Bearer ghp_123456')).toBe(true)
    expect(await check(github, { ...raw, query: 'drop table x' })).toMatchObject({ invalid: true })
    expect(
      (await check(github, { ...raw, query: "select * from github_repo_issues where owner = 'a'" })).error,
    ).toContain('needs repo')
  })
})

test('azureDevops looks at the latest completed run of each pipeline that fits', async () => {
  const times = { createdDate: '2026-01-01T00:00:00Z', finishedDate: '2026-01-01T00:00:10Z' }
  const on = (refName: string) => ({
    resources: { repositories: { self: { refName } } },
    variables: { env: { value: 'prod' } },
  })
  const { url } = await fake((request, response) => {
    if (request.url!.includes('/pipelines/1/runs'))
      return json(response, {
        value: [
          { state: 'inProgress' },
          { state: 'completed', result: 'failed', name: '7', ...times, ...on('refs/heads/main') },
          { state: 'completed', result: 'succeeded', name: '6', ...times, ...on('refs/heads/dev') },
        ],
      })
    json(response, {
      value: [
        { id: 1, name: 'build-web' },
        { id: 2, name: 'other' },
      ],
    })
  })
  const raw = { connection: url, organization: 'o', project: 'p', pipeline: '^build', personalAccessToken: 'pat-12345' }
  expect(await check(azureDevops, raw)).toMatchObject({ pass: false, error: 'build-web: the latest run 7 failed' })
  expect(await check(azureDevops, { ...raw, branch: ['dev'] })).toMatchObject({ pass: true })
  expect((await check(azureDevops, { ...raw, branch: ['dev'], thresholdMillis: 5000 })).error).toContain(
    'took 10000 ms',
  )
  expect(await check(azureDevops, { ...raw, variables: { env: 'test' } })).toMatchObject({
    pass: true,
    message: '0 runs',
  })
})

test('dynatrace lists the problems of all pages', async () => {
  const { url, seen } = await fake((request, response) =>
    json(
      response,
      request.url!.includes('nextPageKey')
        ? { problems: [{ title: 'b' }] }
        : { problems: [{ title: 'a' }], nextPageKey: 'k' },
    ),
  )
  const host = url.replace('http://', '')
  expect(
    await check(dynatrace, { host, scheme: 'http', apiKey: 'dt0c01.x', test: { expr: 'results.size() == 2' } }),
  ).toMatchObject({ pass: true, error: null })
  expect(seen[0]!.headers.authorization).toBe('Api-Token dt0c01.x')
})

describe('Google', () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const credentialsFor = (url: string) =>
    JSON.stringify({ client_email: 'a@b', private_key: privateKey, token_uri: `${url}/token` })
  test('the newest successful backup', async () => {
    let age = 3_600_000
    const { url, seen } = await fake((request, response) => {
      if (request.url === '/token') return json(response, { access_token: 'ya29.token', expires_in: 3600 })
      json(response, {
        items: [
          { status: 'FAILED', endTime: new Date().toISOString() },
          { status: 'SUCCESSFUL', endTime: new Date(Date.now() - age).toISOString() },
        ],
      })
    })
    const raw = {
      gcp: { project: 'p', instance: 'i', gcpConnection: { endpoint: url, credentials: credentialsFor(url) } },
      maxAge: '2h',
    }
    expect(await check(databaseBackup, raw)).toMatchObject({ pass: true, error: null })
    expect(seen.at(-1)).toMatchObject({
      url: '/v1/projects/p/instances/i/backupRuns?maxResults=50',
      headers: { authorization: 'Bearer ya29.token' },
    })
    age = 3 * 3_600_000
    expect((await check(databaseBackup, raw)).error).toContain('longer ago than 2h')
  })
  test('a bucket is a folder', async () => {
    const { url, seen } = await fake((_, response) =>
      json(response, { items: [{ name: 'd/a.txt', size: '5', updated: '2026-01-01T00:00:00Z' }, { name: 'd/' }] }),
    )
    const result = await check(folder, { path: 'gcs://bucket/d', gcpConnection: { endpoint: url } })
    expect(result).toMatchObject({ pass: true, detail: { size: 5, files: [{ name: 'a.txt' }] } })
    expect(seen[0]!.url).toBe('/storage/v1/b/bucket/o?prefix=d%2F&delimiter=%2F')
  })
  test('a key that is none is invalid', async () => {
    expect(await check(folder, { path: 'gcs://b', gcpConnection: { credentials: '{}' } })).toMatchObject({
      invalid: true,
    })
  })
})
