import { createServer, type Server } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import fc from 'fast-check'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDialer } from './dialer.ts'
import { embeddedIpv4, networkPolicy } from './policy.ts'

const deny = ['169.254.0.0/16', 'fe80::/10', 'fd00:ec2::254/128']
const policy = networkPolicy({ allow: [], deny })

describe('the policy', () => {
  test.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '64:ff9b::169.254.169.254',
    '2002:a9fe:a9fe::1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'not an address',
    '',
  ])('%s is refused', (address) => {
    expect(policy.allows(address)).toBe(false)
  })
  test.each([
    '127.0.0.1',
    '::1',
    '10.1.2.3',
    '192.168.0.1',
    '8.8.8.8',
    '::ffff:10.0.0.1',
    'fd00::1',
    '2606:4700::1111',
  ])('%s is allowed by default', (address) => {
    expect(policy.allows(address)).toBe(true)
  })
  test('the allow list wins over the deny list', () => {
    const both = networkPolicy({ allow: ['169.254.10.0/24'], deny })
    expect(both.allows('169.254.10.9')).toBe(true)
    expect(both.allows('169.254.11.9')).toBe(false)
  })
  test('a list that is no list of networks stops the start', () => {
    for (const wrong of ['10.0.0.0/33', 'example.org', '10.0.0.0/x', 'fe80::/129']) {
      expect(() => networkPolicy({ allow: [], deny: [wrong] })).toThrow('QUARTERDECK_NETWORK_DENY is wrong')
    }
  })
  test('an IPv4 address is judged the same in every IPv6 spelling', () => {
    fc.assert(
      fc.property(fc.ipV4(), (v4) => {
        const odd = v4.startsWith('0.0.')
        expect(embeddedIpv4(`::ffff:${v4}`)).toBe(v4)
        if (!odd) expect(policy.allows(`::ffff:${v4}`)).toBe(policy.allows(v4))
      }),
    )
  })
  test('any text gives an answer', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4Extended()), (text) => {
        const answer = policy.allows(text)
        if (isIP(text) === 0) expect(answer).toBe(false)
      }),
    )
  })
})

describe('the dialer', () => {
  let server: Server
  let port: number
  const answers: Record<string, { address: string; family: number }[]> = {
    'good.test': [{ address: '127.0.0.1', family: 4 }],
    'metadata.test': [{ address: '169.254.169.254', family: 4 }],
    'both.test': [
      { address: '169.254.169.254', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
  }
  const dialer = createDialer(policy, async (host) => answers[host] ?? [])
  beforeAll(async () => {
    server = createServer((incoming, response) => {
      if (incoming.url === '/to-metadata') response.writeHead(302, { location: `http://metadata.test:${port}/` }).end()
      else if (incoming.url === '/to-literal')
        response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
      else response.end('hello')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(async () => {
    await dialer.close()
    server.close()
  })
  const get = (url: string) => request(url, { dispatcher: dialer.dispatcher() })

  test('reaches an allowed name at its address', async () => {
    expect(await (await get(`http://good.test:${port}/`)).body.text()).toBe('hello')
  })
  test('refuses a name that resolves to a denied address, and says which', async () => {
    await expect(get(`http://metadata.test:${port}/`)).rejects.toThrow(
      'Connecting to metadata.test (169.254.169.254) is not allowed by the network policy',
    )
  })
  test('refuses denied addresses however they are written', async () => {
    await expect(get('http://169.254.169.254/')).rejects.toThrow('not allowed')
    await expect(get('http://[::ffff:169.254.169.254]/')).rejects.toThrow('not allowed')
    // Written as one number or in hex the URL parser makes the dotted form of it.
    await expect(get('http://2852039166/')).rejects.toThrow('not allowed')
    await expect(get('http://0xa9fea9fe/')).rejects.toThrow('not allowed')
  })
  test('connects only to the allowed one of several addresses', async () => {
    expect(await (await get(`http://both.test:${port}/`)).body.text()).toBe('hello')
  })
  test('a redirect is checked again', async () => {
    for (const path of ['/to-metadata', '/to-literal']) {
      const first = await get(`http://good.test:${port}${path}`)
      await first.body.dump()
      await expect(get(String(first.headers.location))).rejects.toThrow('not allowed')
    }
  })
  test('TCP: connects, refuses, times out and stops', async () => {
    const socket = await dialer.connectTcp('good.test', port)
    socket.destroy()
    await expect(dialer.connectTcp('metadata.test', 80)).rejects.toThrow('not allowed')
    await expect(dialer.connectTcp('169.254.169.254', 80)).rejects.toThrow('not allowed')
    await expect(dialer.connectTcp('good.test', 1)).rejects.toThrow('ECONNREFUSED')
    await expect(
      dialer.connectTcp('good.test', port, { signal: AbortSignal.abort(new Error('stopped')) }),
    ).rejects.toThrow('stopped')
  })
})
