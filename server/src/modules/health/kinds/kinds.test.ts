import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import type { CheckKind } from '../kind.ts'
import { runCheck } from '../run/run-check.ts'
import { readSummary } from './icmp.ts'
import { dns } from './dns.ts'
import { hostAndPort, sizeOf } from './support.ts'
import { tcp } from './tcp.ts'

const ctx = { config: readConfig({}) } as Context
const deps = {
  ctx,
  evaluator: { evaluate: async () => 'true' },
}
async function run(kind: CheckKind<never>, raw: object) {
  const each = kind as unknown as CheckKind
  const spec = each.schema.parse({ name: 'c', ...raw })
  const identity = { id: 'i', name: 'c', type: each.key, labels: {}, endpoint: each.endpoint(spec) }
  const [result] = await runCheck(
    deps,
    { id: 'c', name: 'n', namespace: 'd', labels: {} },
    { kind: each, spec, identity },
    { lastResult: async () => ({}) },
  )
  return result!
}

describe('tcp', () => {
  const server = createServer((socket) => socket.end())
  let port: number
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => void server.close())
  test('a port that answers passes', async () => {
    expect(await run(tcp as never, { endpoint: `127.0.0.1:${port}` })).toMatchObject({ pass: true, error: null })
  })
  test('a closed port fails with the reason', async () => {
    const result = await run(tcp as never, { endpoint: '127.0.0.1:1' })
    expect(result).toMatchObject({ pass: false, invalid: false })
    expect(result.error).toContain('ECONNREFUSED')
  })
  test('a denied address is refused', async () => {
    expect((await run(tcp as never, { endpoint: '169.254.169.254:80' })).error).toContain(
      'not allowed by the network policy',
    )
  })
  test('an endpoint without a port is not accepted', () => {
    expect(() => tcp.schema.parse({ name: 'c', endpoint: 'localhost' })).toThrow('must be host:port')
    expect(() => hostAndPort('a:99999')).toThrow('is not host:port')
  })
})

describe('dns', () => {
  test('an unknown type is invalid and says what is known', async () => {
    expect(await run(dns as never, { query: 'x', querytype: 'ZZ' })).toMatchObject({
      invalid: true,
      error: expect.stringContaining('use one of A, AAAA'),
    })
  })
  test('a resolver that never answers fails in time', async () => {
    const { createSocket } = await import('node:dgram')
    const silent = createSocket('udp4')
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
    const result = await run(dns as never, {
      query: 'a.test',
      server: '127.0.0.1',
      port: silent.address().port,
      timeout: 1,
    })
    silent.close()
    expect(result).toMatchObject({ pass: false, error: 'no answer within 1 s' })
  })
})

test('the summary of ping is read', () => {
  const text =
    '5 packets transmitted, 4 received, 20% packet loss, time 804ms\nrtt min/avg/max/mdev = 0.021/0.033/0.046/0.008 ms'
  expect(readSummary(text)).toEqual({ sent: 5, received: 4, averageMs: 0.033 })
})

test('sizes', () => {
  expect(sizeOf('10', 'x')).toBe(10)
  expect(sizeOf('1.5Gi', 'x')).toBe(1.5 * 1024 ** 3)
  expect(sizeOf('5 MB', 'x')).toBe(5e6)
  expect(() => sizeOf('lots', 'maxSize')).toThrow('maxSize: "lots" is not a size')
})
