import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddedIpv4, inRange, readAddress, readRange, showAddress } from './address.ts'
import { Network } from './network.ts'
import { NetworkError } from './network-error.ts'
import { networkPolicy } from './policy.ts'
import { httpRequest } from './request.ts'

const pem = (name: string) => readFileSync(new URL(`./testdata/${name}.pem`, import.meta.url), 'utf8')
const policy = networkPolicy({ allow: [], deny: ['169.254.0.0/16', 'fe80::/10'] })
const asked: string[] = []
/** Answers change with every question, as a rebinding name server's do. */
const rebinding = [['127.0.0.1'], ['169.254.169.254']]
const names: Record<string, () => string[]> = {
  'good.test': () => ['127.0.0.1'],
  'metadata.test': () => ['169.254.169.254'],
  'mapped.test': () => ['::ffff:169.254.169.254'],
  'rebind.test': () => rebinding.shift() ?? ['169.254.169.254'],
  'mixed.test': () => ['169.254.169.254', '127.0.0.1'],
  'slow.test': () => ['10.255.255.1'],
}
const network = new Network(policy, {
  lookup: async (host) => {
    asked.push(host)
    if (host === 'silent.test') return new Promise(() => {})
    const addresses = names[host]?.()
    if (!addresses) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  },
})

const servers: (Server | TcpServer)[] = []
async function listen(server: Server | TcpServer): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
const failure = async (work: Promise<unknown>): Promise<NetworkError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(NetworkError)
  return error as NetworkError
}

let http: number
let https: number
let tcp: number
const seen: IncomingMessage[] = []
function answer(request: IncomingMessage, response: ServerResponse): void {
  seen.push(request)
  const location = new URL(request.url!, 'http://x').searchParams.get('to')
  if (location !== null)
    response.writeHead(Number(new URL(request.url!, 'http://x').searchParams.get('code') ?? 302), { location }).end()
  else if (request.url === '/gzip')
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed '.repeat(1000)))
  else if (request.url === '/bomb')
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000)))
  else if (request.url === '/broken') response.writeHead(200, { 'content-encoding': 'gzip' }).end('not packed')
  else if (request.url === '/hang') response.writeHead(200).write('x')
  else if (request.url === '/never') return
  else response.writeHead(200, { 'x-two': ['a', 'b'] }).end('hello')
}
beforeAll(async () => {
  http = await listen(createServer(answer))
  https = await listen(
    createSecureServer({ key: pem('test-key'), cert: pem('test-cert') }, answer) as unknown as Server,
  )
  tcp = await listen(createTcpServer((socket) => void socket.on('error', () => {}).end('hi')))
})
afterAll(() => servers.forEach((server) => server.close()))

describe('addresses', () => {
  test('what is written is what is read', () => {
    fc.assert(
      fc.property(fc.ipV4(), (text) => {
        expect(showAddress(readAddress(text)!)).toBe(text)
      }),
    )
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const bytes = readAddress(text)!
        expect(bytes).toHaveLength(16)
        expect(readAddress(showAddress(bytes))).toEqual(bytes)
      }),
    )
  })
  test('nothing else is read', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readAddress(text)
        if (read) expect(text).toMatch(/^\[?[\da-fA-F:.]+(%.*)?\]?$/)
      }),
    )
    for (const text of ['1.2.3', '1.2.3.4.5', '256.1.1.1', '0x7f.1', '017700000001', '2130706433', '::g', ':::', ''])
      expect(readAddress(text)).toBeUndefined()
  })
  test('a range holds itself, and no address of the other family', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.ipV6(), (v4, bits, v6) => {
        const range = readRange(`${v4}/${bits}`)!
        expect(inRange(readAddress(v4)!, range)).toBe(true)
        expect(inRange(readAddress(v6)!, range)).toBe(false)
      }),
    )
  })
  test.each([
    ['::ffff:169.254.169.254', '169.254.169.254'],
    ['::ffff:0:169.254.169.254', '169.254.169.254'],
    ['64:ff9b::a9fe:a9fe', '169.254.169.254'],
    ['2002:a9fe:a9fe::', '169.254.169.254'],
    ['2001:0:a9fe:a9fe::', '169.254.169.254'],
  ])('%s means %s', (text, expected) => {
    expect(embeddedIpv4(readAddress(text)!).map(showAddress)).toContain(expected)
    expect(policy.allows(text)).toBe(false)
  })
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '::',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    '100.100.100.200',
    '168.63.129.16',
    'fd20:ce::254',
    '::ffff:0.0.0.0',
    '64:ff9b:1:a9fe:a9:fe00::',
  ])('%s is refused whatever the settings say', (address) => {
    expect(networkPolicy({ allow: [], deny: [] }).allows(address)).toBe(false)
    expect(networkPolicy({ allow: ['all'], deny: [] }).allows(address)).toBe(true)
  })
  test('words stand for networks', () => {
    const closed = networkPolicy({ allow: ['10.1.0.0/16'], deny: ['private', 'loopback'] })
    expect(['10.1.2.3', '8.8.8.8'].every((address) => closed.allows(address))).toBe(true)
    expect(
      ['10.2.0.1', '127.0.0.1', '::1', 'fd00::1', '::ffff:10.2.0.1'].some((address) => closed.allows(address)),
    ).toBe(false)
  })
})

describe('connections', () => {
  test('go to the address that was judged, and say how long each part took', async () => {
    const { socket, address, timings } = await network.connectTcp('good.test', tcp)
    socket.destroy()
    expect(address).toBe('127.0.0.1')
    expect(timings.connect).toBeGreaterThan(0)
    expect(timings.tls).toBe(0)
  })
  test.each([
    ['169.254.169.254', 'Connecting to 169.254.169.254 is not allowed by the network policy'],
    ['[::ffff:169.254.169.254]', 'Connecting to ::ffff:169.254.169.254 is not allowed by the network policy'],
    ['metadata.test', 'Connecting to metadata.test (169.254.169.254) is not allowed by the network policy'],
    ['mapped.test', 'Connecting to mapped.test (::ffff:169.254.169.254) is not allowed by the network policy'],
    ['fe80::1', 'Connecting to fe80::1 is not allowed by the network policy'],
  ])('%s is refused', async (host, words) => {
    expect(await failure(network.connectTcp(host, 80))).toMatchObject({
      failure: 'denied',
      code: 'ENETPOLICY',
      message: words,
    })
  })
  test('addresses written as one number or in octal are judged by what they mean', async () => {
    const system = new Network(networkPolicy({ allow: [], deny: ['loopback'] }))
    for (const host of ['2130706433', '0x7f.1', '017700000001', '127.1', 'localhost']) {
      expect((await failure(system.connectTcp(host, tcp))).failure).toMatch(/denied|dns/)
    }
  })
  test('a name that changes its address between question and connection gains nothing', async () => {
    const first = await network.connectTcp('rebind.test', tcp)
    first.socket.destroy()
    expect(first.address).toBe('127.0.0.1')
    // Asked again after the answer was forgotten, the new address is judged anew.
    const later = new Network(policy, { lookup: async () => [{ address: '169.254.169.254', family: 4 }] })
    expect((await failure(later.connectTcp('rebind.test', tcp))).failure).toBe('denied')
  })
  test('only the allowed ones of several addresses are used', async () => {
    expect(await network.resolve('mixed.test')).toEqual([{ address: '127.0.0.1', family: 4 }])
  })
  test('one question for many who ask at once', async () => {
    asked.length = 0
    await Promise.all(Array.from({ length: 50 }, () => network.resolve('good.test')))
    expect(asked.length).toBeLessThanOrEqual(1)
  })
  test('every failure has its words', async () => {
    expect(await failure(network.connectTcp('nowhere.test', 80))).toMatchObject({
      failure: 'dns',
      message: 'The host nowhere.test was not found',
    })
    expect(await failure(network.connectTcp('good.test', 1))).toMatchObject({
      failure: 'refused',
      message: 'good.test:1 refused the connection',
    })
    expect(await failure(network.connectTcp('silent.test', 80, { timeoutMs: 50 }))).toMatchObject({
      failure: 'timeout',
    })
    expect(await failure(network.connectTcp('good.test', 99_999))).toMatchObject({
      failure: 'protocol',
      message: '99999 is not a port',
    })
    expect(await failure(network.connectTcp('', 80))).toMatchObject({ failure: 'dns' })
    expect(await failure(network.connectTcp('good.test', tcp, { signal: AbortSignal.abort() }))).toMatchObject({
      failure: 'aborted',
    })
  })
  test('a second address is tried when the first fails', async () => {
    const two = new Network(policy, {
      lookup: async () => [
        { address: '127.0.0.2', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    })
    const { socket, address } = await two.connectTcp('two.test', tcp)
    socket.destroy()
    expect(address).toBe('127.0.0.1')
  })
})

describe('TLS', () => {
  test('the certificate is checked against the name', async () => {
    const { socket, timings } = await network.connectTls('good.test', https, { tls: { ca: pem('test-cert') } })
    expect(socket.authorized).toBe(true)
    expect(timings.tls).toBeGreaterThan(0)
    socket.destroy()
    expect(await failure(network.connectTls('mixed.test', https, { tls: { ca: pem('test-cert') } }))).toMatchObject({
      failure: 'tls',
      message: `The TLS connection to mixed.test:${https} failed: its certificate is for another name`,
    })
    expect(await failure(network.connectTls('127.0.0.1', https, { tls: { ca: pem('test-cert') } }))).toMatchObject({
      failure: 'tls',
    })
  })
  test('an unknown authority, and a server that speaks no TLS', async () => {
    expect((await failure(network.connectTls('good.test', https))).message).toContain('its certificate is self-signed')
    expect((await failure(network.connectTls('good.test', http))).failure).toBe('tls')
    const { socket } = await network.connectTls('good.test', https, { tls: { rejectUnauthorized: false } })
    socket.destroy()
  })
})

describe('sockets for drivers', () => {
  const use = (connect: (socket: ReturnType<Network['socket']>) => void) =>
    new Promise<string>((resolve) => {
      const socket = network.socket()
      socket.on('connect', () => resolve('connected'))
      socket.on('error', (error) => resolve(error.message))
      socket.on('close', () => socket.destroy())
      connect(socket)
    })
  test('obey the policy however they are told to connect', async () => {
    expect(await use((socket) => void socket.connect(tcp, 'good.test'))).toBe('connected')
    expect(await use((socket) => void socket.connect({ port: tcp, host: '127.0.0.1' }))).toBe('connected')
    expect(await use((socket) => void socket.connect(80, 'metadata.test'))).toContain('not allowed')
    expect(await use((socket) => void socket.connect(80, '169.254.169.254'))).toContain('not allowed')
    expect(await use((socket) => void socket.connect('/run/some.sock'))).toContain('not allowed')
  })
  test('a lookup function gives one or all', async () => {
    const look = (host: string, all: boolean) =>
      new Promise((resolve) =>
        network.lookup(host, { all }, (error, address, family) =>
          resolve(error ? error.code : all ? address : [address, family]),
        ),
      )
    expect(await look('good.test', false)).toEqual(['127.0.0.1', 4])
    expect(await look('mixed.test', true)).toEqual([{ address: '127.0.0.1', family: 4 }])
    expect(await look('metadata.test', true)).toBe('ENETPOLICY')
  })
})

describe('HTTP', () => {
  const base = () => `http://good.test:${http}`
  test('answers with its parts measured', async () => {
    const got = await httpRequest(network, `${base()}/`)
    expect(got).toMatchObject({ status: 200, truncated: false, address: '127.0.0.1', redirects: [], certificate: null })
    expect(got.body.toString()).toBe('hello')
    expect(got.headers['x-two']).toEqual(['a', 'b'])
    expect(got.timings.total).toBeGreaterThanOrEqual(got.timings.ttfb)
  })
  test('unpacks, and stops reading where told', async () => {
    expect((await httpRequest(network, `${base()}/gzip`)).body.toString()).toBe('packed '.repeat(1000))
    const bomb = await httpRequest(network, `${base()}/bomb`, { maxBytes: 100_000 })
    expect(bomb).toMatchObject({ truncated: true })
    expect(bomb.body).toHaveLength(100_000)
    expect((await failure(httpRequest(network, `${base()}/broken`))).message).toBe('The answer is packed wrongly')
  })
  test('redirects are followed and judged', async () => {
    const got = await httpRequest(network, `${base()}/?to=/second`)
    expect(got).toMatchObject({ status: 200, url: `${base()}/second`, redirects: [`${base()}/second`] })
    for (const to of ['http://169.254.169.254/latest', 'http://metadata.test/', 'http://[::ffff:a9fe:a9fe]/']) {
      expect(await failure(httpRequest(network, `${base()}/?to=${encodeURIComponent(to)}`))).toMatchObject({
        failure: 'denied',
      })
    }
    expect(await failure(httpRequest(network, `${base()}/?to=file:///etc/passwd`))).toMatchObject({
      failure: 'redirect',
    })
    expect(
      await failure(httpRequest(network, `${base()}/?to=${encodeURIComponent('/?to=/')}`, { maxRedirects: 1 })),
    ).toMatchObject({ failure: 'redirect' })
    expect((await httpRequest(network, `${base()}/?to=/second`, { maxRedirects: 0 })).status).toBe(302)
  })
  test('credentials stay with the host they were given for; a see-other becomes a GET', async () => {
    seen.length = 0
    const to = encodeURIComponent(`http://mixed.test:${http}/`)
    await httpRequest(network, `${base()}/?code=303&to=${to}`, {
      method: 'POST',
      body: 'x',
      headers: { Authorization: 'Bearer s', Cookie: 'c=1', 'X-Kept': '1', 'Content-Type': 'text/plain' },
    })
    expect(
      seen.map(({ method, headers }) => [
        method,
        headers.authorization,
        headers.cookie,
        headers['x-kept'],
        headers['content-type'],
      ]),
    ).toEqual([
      ['POST', 'Bearer s', 'c=1', '1', 'text/plain'],
      ['GET', undefined, undefined, '1', undefined],
    ])
  })
  test('user and password of the address become a header', async () => {
    seen.length = 0
    await httpRequest(network, `http://us%20er:p%40ss@good.test:${http}/`)
    expect(seen[0]!.headers.authorization).toBe(`Basic ${Buffer.from('us er:p@ss').toString('base64')}`)
  })
  test('TLS certificates are shown', async () => {
    const got = await httpRequest(network, `https://good.test:${https}/`, { tls: { ca: pem('test-cert') } })
    expect(got.certificate?.subject.CN).toBe('good.test')
    expect(got.timings.tls).toBeGreaterThan(0)
  })
  test('time is up for silence before and inside the answer', async () => {
    for (const path of ['/never', '/hang']) {
      expect(await failure(httpRequest(network, base() + path, { timeoutMs: 150 }))).toMatchObject({
        failure: 'timeout',
        message: `good.test:${http} did not answer within 150 ms`,
      })
    }
  })
  test('what is no http address is refused', async () => {
    for (const url of ['ftp://x/', 'file:///etc/passwd', 'nonsense', 'http://'])
      expect(await failure(httpRequest(network, url))).toMatchObject({ failure: 'protocol' })
  })
  test('proxy settings of the environment are ignored', async () => {
    process.env.HTTP_PROXY = process.env.http_proxy = 'http://169.254.1.1:1'
    try {
      expect((await httpRequest(network, `${base()}/`)).status).toBe(200)
    } finally {
      delete process.env.HTTP_PROXY
      delete process.env.http_proxy
    }
  })
})
