import { createServer as createTlsServer } from 'node:https'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { http } from './http.ts'
import { authenticateMessage, md4, nameParts, negotiateMessage } from '../../../platform/clients/ntlm.ts'
import { fakeServer, json, listening, runOne, testContext } from './testing.ts'

const check = (raw: object, options = {}) => runOne(http as never, raw, options)
type Fake = Awaited<ReturnType<typeof fakeServer>>
let server: Fake
let elsewhere: Fake

beforeAll(async () => {
  elsewhere = await fakeServer((request, response) =>
    json(response, { authorization: request.headers.authorization ?? null }),
  )
  server = await fakeServer((request, response, body) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://x')
    const [, first, rest] = pathname.split('/')
    switch (first) {
      case 'code':
        return response.writeHead(Number(rest)).end('words')
      case 'json':
        return json(response, { items: [1, 2], user: searchParams.get('user') })
      case 'broken':
        return response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":')
      case 'echo':
        return json(response, { method: request.method, body, headers: request.headers })
      case 'loop':
        return response.writeHead(302, { location: '/loop' }).end()
      case 'to':
        return response.writeHead(Number(rest), { location: searchParams.get('url')! }).end()
      case 'endless': {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
          if (!response.destroyed) response.once('drain', more)
        }
        response.on('error', () => undefined)
        return more()
      }
      case 'loris': {
        response.write('a')
        const timer = setInterval(() => response.write('a'), 50)
        return response.on('close', () => clearInterval(timer))
      }
      case 'silent':
        return undefined
      case 'token':
        return json(response, { access_token: 'token-abcdef', expires_in: 3600, asked: body })
      default:
        return response.end('hello')
    }
  })
})
afterAll(() => {
  server.close()
  elsewhere.close()
})

describe('verdict', () => {
  test('any 2xx passes, others fail and say their code', async () => {
    expect(await check({ url: server.url })).toMatchObject({ pass: true, error: null })
    expect(await check({ url: `${server.url}/code/204` })).toMatchObject({ pass: true })
    expect(await check({ url: `${server.url}/code/500` })).toMatchObject({
      pass: false,
      error: 'code 500, expected 2xx',
    })
  })
  test('a list of codes decides alone and ends the evaluation', async () => {
    expect(await check({ url: `${server.url}/code/404`, responseCodes: [404] })).toMatchObject({ pass: true })
    const result = await check({ url: `${server.url}/code/500`, responseCodes: [200, 201], responseContent: 'nothing' })
    expect(result).toMatchObject({ pass: false, error: 'code 500, expected 200 or 201' })
  })
  test('without a list the remaining conditions are looked at too', async () => {
    const { error } = await check({ url: `${server.url}/code/500`, responseContent: 'absent' })
    expect(error).toBe('code 500, expected 2xx, the answer does not contain "absent"')
  })
  test('content is looked for in the answer', async () => {
    expect(await check({ url: server.url, responseContent: 'ell', body: 'x', method: 'POST' })).toMatchObject({
      pass: true,
    })
    expect(await check({ url: server.url, responseContent: 'zzz', body: 'zzz', method: 'POST' })).toMatchObject({
      pass: false,
    })
  })
  test('JSON that does not parse fails, unless there is a test', async () => {
    expect((await check({ url: `${server.url}/broken` })).error).toContain('says it is JSON and is not')
    expect(await check({ url: `${server.url}/broken`, test: { expr: 'code == 200' } })).toMatchObject({ pass: true })
  })
  test('expressions see code, headers, json, content, elapsed and sslAge', async () => {
    const expr = `code == 200 && json.items.size() == 2 && headers['Content-Type'] == 'application/json' && content.contains('items') && elapsed < duration('20s') && sslAge <= duration('0s')`
    expect(
      await check({ url: `${server.url}/json`, test: { expr }, display: { expr: 'string(json.items[1])' } }),
    ).toMatchObject({
      pass: true,
      error: null,
      message: '2',
    })
  })
  test('json is an empty map when the answer is none', async () => {
    expect(await check({ url: server.url, test: { expr: 'json.size() == 0' } })).toMatchObject({ pass: true })
  })
  test('too slow', async () => {
    expect((await check({ url: `${server.url}/silent`, thresholdMillis: 100 })).error).toBe('timed out after 350 ms')
  })
  test('an answer too large to be read whole fails and says so, whatever its beginning is', async () => {
    const { pass, error } = await check({ url: `${server.url}/endless`, responseContent: 'x' })
    expect({ pass, error }).toEqual({ pass: false, error: 'the answer is larger than 10 MB' })
  })
  test('a response_code metric comes with every answer', async () => {
    const { metrics } = await check({ url: `${server.url}/code/503` })
    expect(metrics[0]).toMatchObject({ name: 'response_code', value: 1, labels: { code: '503', status: '5xx' } })
  })
})

describe('request', () => {
  test('method, headers, body and the user agent are sent', async () => {
    await check({ url: `${server.url}/echo`, method: 'put', body: 'b', headers: [{ name: 'X-One', value: '1' }] })
    expect(server.seen.at(-1)).toMatchObject({ method: 'PUT', body: 'b', headers: { 'x-one': '1' } })
    expect(server.seen.at(-1)!.headers['user-agent']).toMatch(/^canary-checker\/\d/)
  })
  test('url and body are filled in from env and canary', async () => {
    const raw = {
      url: `${server.url}/json?user=$(.who)&ns={{.canary.namespace}}`,
      body: 'hi {{.who}}',
      templateBody: true,
      method: 'POST',
      env: [{ name: 'who', value: 'ann' }],
    }
    expect(await check(raw)).toMatchObject({ pass: true })
    expect(server.seen.at(-1)).toMatchObject({ url: '/json?user=ann&ns=default', body: 'hi ann' })
  })
  test('a body is sent as it is unless it is a template', async () => {
    await check({ url: server.url, method: 'POST', body: '{{.x}}' })
    expect(server.seen.at(-1)!.body).toBe('{{.x}}')
  })
  test('basic auth, from fields and from the address', async () => {
    await check({ url: server.url, username: 'ann', password: { value: 'hunter22' } })
    expect(server.seen.at(-1)!.headers.authorization).toBe(`Basic ${btoa('ann:hunter22')}`)
    await check({ url: server.url.replace('//', '//bob:p%40ss@') })
    expect(server.seen.at(-1)!.headers.authorization).toBe(`Basic ${btoa('bob:p@ss')}`)
  })
  test('OAuth 2 client credentials are asked for once', async () => {
    const oauth2 = { tokenURL: `${server.url}/token`, scope: ['a', 'b'], params: { audience: 'x' } }
    const raw = { url: `${server.url}/echo`, username: 'id', password: 'client-secret', oauth2 }
    const before = server.seen.length
    expect(await check(raw)).toMatchObject({ pass: true })
    await check(raw)
    const asked = server.seen.slice(before)
    expect(asked.map(({ url }) => url)).toEqual(['/token', '/echo', '/echo'])
    expect(asked[0]!.body).toBe('grant_type=client_credentials&audience=x&scope=a+b')
    expect(asked[2]!.headers.authorization).toBe('Bearer token-abcdef')
  })
  test('both names of the address set is a failure, no address invalid', async () => {
    expect(await check({ url: server.url, endpoint: server.url })).toMatchObject({ pass: false, invalid: false })
    expect(await check({ endpoint: server.url })).toMatchObject({ pass: true })
    for (const url of ['', 'nohost', 'ftp://x/', 'http://'])
      expect(await check({ url })).toMatchObject({ invalid: true })
  })
  test('secrets of the request are not in the result', async () => {
    const result = await check({
      url: `${server.url}/echo`,
      username: 'ann',
      password: 'hunter22',
      headers: [{ name: 'X-Api-Key', value: 'key-123456' }],
      display: { expr: 'content' },
      test: { expr: 'content' },
    })
    const text = JSON.stringify(result)
    expect(text).toContain('user-agent')
    for (const secret of ['hunter22', 'key-123456', btoa('ann:hunter22')]) expect(text).not.toContain(secret)
  })
})

describe('redirects', () => {
  test('are followed, and POST becomes GET on 303', async () => {
    const raw = {
      url: `${server.url}/to/303?url=/echo`,
      method: 'POST',
      body: 'x',
      test: { expr: "json.method == 'GET'" },
    }
    expect(await check(raw)).toMatchObject({ pass: true })
    expect(
      await check({
        ...raw,
        url: `${server.url}/to/307?url=/echo`,
        test: { expr: "json.method == 'POST' && json.body == 'x'" },
      }),
    ).toMatchObject({ pass: true })
  })
  test('credentials stay with their host', async () => {
    const raw = { url: `${server.url}/to/302?url=${elsewhere.url}`, username: 'ann', password: 'hunter22' }
    expect(await check({ ...raw, test: { expr: 'json.authorization == null' } })).toMatchObject({ pass: true })
  })
  test('a redirect that is asked for is the answer', async () => {
    expect(await check({ url: `${server.url}/loop`, responseCodes: [302] })).toMatchObject({ pass: true })
  })
  test('endless ones end', async () => {
    expect((await check({ url: `${server.url}/loop` })).error).toContain('more than 10 redirects')
  })
  test('to a denied address are refused', async () => {
    const result = await check({ url: `${server.url}/to/302?url=http://169.254.169.254/latest/meta-data` })
    expect(result.error).toContain('not allowed by the network policy')
  })
})

describe('hostile targets', () => {
  test('an endless body is cut', async () => {
    const result = await check({ url: `${server.url}/endless`, display: { expr: 'string(content.size())' } })
    expect(result).toMatchObject({ pass: false, message: '10485760' })
  })
  test('an answer that drips ends with the time of the check', async () => {
    const started = performance.now()
    const result = await check({ url: `${server.url}/loris`, thresholdMillis: 300 })
    expect(result).toMatchObject({ pass: false, error: 'timed out after 550 ms' })
    expect(performance.now() - started).toBeLessThan(2000)
  })
  test('nobody listening', async () => {
    expect((await check({ url: 'http://127.0.0.1:1/' })).error).toContain('ECONNREFUSED')
  })
})

describe('TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'qd-tls-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '30',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost,IP:127.0.0.1',
      '-keyout',
      keyFile,
      '-out',
      certFile,
    ],
    { stdio: 'ignore' },
  )
  const cert = readFileSync(certFile, 'utf8')
  const secure = createTlsServer({ key: readFileSync(keyFile), cert }, (_, response) => response.end('ok'))
  let url: string
  beforeAll(async () => void (url = `https://127.0.0.1:${await listening(secure)}/`))
  afterAll(() => void secure.close())

  test('an unknown issuer fails with the reason, and passes when told', async () => {
    expect((await check({ url })).error).toMatch(/self-signed certificate/)
    expect(await check({ url, tlsConfig: { insecureSkipVerify: true } })).toMatchObject({ pass: true })
    expect(await check({ url, tlsConfig: { ca: cert } })).toMatchObject({ pass: true })
  })
  test('days the certificate has left', async () => {
    const tlsConfig = { ca: { value: cert } }
    expect(
      await check({ url, tlsConfig, maxSSLExpiry: 20, test: { expr: "sslAge > duration('600h')" } }),
    ).toMatchObject({ pass: true, error: null })
    expect(await check({ url, tlsConfig, maxSSLExpiry: 40 })).toMatchObject({
      pass: false,
      error: 'the certificate ends in 29 days, fewer than 40',
    })
    expect((await check({ url: server.url, maxSSLExpiry: 1 })).error).toBe('there is no certificate to look at')
  })
})

describe('NTLM', () => {
  // Published test values of RFC 1320 and MS-NLMP 4.2.4.
  test('MD4', () => {
    expect(md4(Buffer.from('')).toString('hex')).toBe('31d6cfe0d16ae931b73c59d7e0c089c0')
    expect(md4(Buffer.from('message digest')).toString('hex')).toBe('d9130a8164549fe818874806e1c7014b')
  })
  test('the answer to the challenge of the protocol description', () => {
    const targetInfo = Buffer.from(
      '02000c0044006f006d00610069006e0001000c005300650072007600650072000000000000000000',
      'hex',
    ).subarray(0, 36)
    const message = authenticateMessage(
      { nonce: Buffer.from('0123456789abcdef', 'hex'), targetInfo },
      { username: 'Domain\\User', password: 'Password' },
      { now: -11_644_473_600_000, client: Buffer.alloc(8, 0xaa) },
    )
    expect(message.subarray(64, 80).toString('hex')).toBe('86c35097ac9cec102554764a57cccc19')
    expect(message.subarray(88, 104).toString('hex')).toBe('68cd0ab851e51c96aabc927bebef6a1c')
  })
  test('names', () => {
    expect(nameParts('A\\b')).toEqual({ domain: 'A', user: 'b' })
    expect(nameParts('b@a.local')).toEqual({ domain: 'a.local', user: 'b' })
  })
  test('three messages over one connection', async () => {
    const challenge = Buffer.alloc(48)
    Buffer.from('NTLMSSP\0').copy(challenge)
    challenge.writeUInt32LE(2, 8)
    const sockets = new Set<unknown>()
    const types: number[] = []
    const fake = await fakeServer((request, response) => {
      sockets.add(request.socket)
      const message = Buffer.from((request.headers.authorization ?? '').replace('NTLM ', ''), 'base64')
      const type = message.length > 8 ? message.readUInt32LE(8) : 0
      types.push(type)
      if (type === 3) response.end('in')
      else
        response
          .writeHead(401, { 'www-authenticate': type === 1 ? `NTLM ${challenge.toString('base64')}` : 'NTLM' })
          .end()
    })
    expect(
      await check({ url: fake.url, ntlm: true, username: 'D\\u', password: 'secret99', responseContent: 'in' }),
    ).toMatchObject({ pass: true })
    expect([types, sockets.size]).toEqual([[1, 3], 1])
    expect(negotiateMessage().length).toBe(32)
    fake.close()
  })
})

test('the network policy decides on the address, not the name', async () => {
  const ctx = testContext({ QUARTERDECK_NETWORK_DENY: '127.0.0.0/8,::1/128' })
  expect((await check({ url: server.url.replace('127.0.0.1', 'localhost') }, { ctx })).error).toContain(
    'not allowed by the network policy',
  )
})
