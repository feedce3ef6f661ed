import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { hasSqlServerDriver, sqlServer, sqlServerPassword } from '../../../testing/sql-server.ts'
import { hostsOf, mongodb } from './mongodb.ts'
import { mssql, mssqlAddress } from './mssql.ts'
import { mysqlUrl } from './mysql.ts'
import { postgres } from './postgres.ts'
import { redis } from './redis.ts'
import { listening, runOne, testContext } from './testing.ts'

const open: { close(): void }[] = []
afterEach(() => open.splice(0).forEach((server) => server.close()))
async function fake(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  open.push(server)
  return listening(server)
}
const check = (kind: unknown, raw: object, options = {}) => runOne(kind as never, raw, options)

describe('mongodb, against the wire protocol', () => {
  /** Speaks OP_MSG and the OP_QUERY of the first hello, as a standalone server does. */
  async function mongoServer(answer: (command: string) => object): Promise<number> {
    const { BSON } = await import('mongodb')
    return fake((socket) => {
      let buffer = Buffer.alloc(0)
      socket.on('data', (chunk) => {
        buffer = Buffer.concat([buffer, chunk])
        while (buffer.length >= 16 && buffer.length >= buffer.readInt32LE(0)) {
          const message = buffer.subarray(0, buffer.readInt32LE(0))
          buffer = buffer.subarray(message.length)
          const isQuery = message.readInt32LE(12) === 2004
          const start = isQuery ? message.indexOf(0, 20) + 1 + 8 : 21
          const [command = ''] = Object.keys(
            BSON.deserialize(message.subarray(start, start + message.readInt32LE(start))),
          )
          const document = Buffer.from(BSON.serialize(answer(command.toLowerCase())))
          const body = isQuery
            ? Buffer.concat([Buffer.alloc(16), Buffer.from([1, 0, 0, 0]), document])
            : Buffer.concat([Buffer.alloc(5), document])
          const head = Buffer.alloc(16)
          head.writeInt32LE(16 + body.length, 0)
          head.writeInt32LE(message.readInt32LE(4), 8)
          head.writeInt32LE(isQuery ? 1 : 2013, 12)
          socket.write(Buffer.concat([head, body]))
        }
      })
    })
  }
  const hello = {
    ok: 1,
    ismaster: true,
    isWritablePrimary: true,
    helloOk: true,
    maxWireVersion: 21,
    minWireVersion: 0,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
  }
  test('a ping that works and one that is refused', async () => {
    const good = await mongoServer((command) => (command === 'ping' ? { ok: 1 } : hello))
    expect(await check(mongodb, { url: `mongodb://127.0.0.1:${good}/` })).toMatchObject({ pass: true, error: null })
    const bad = await mongoServer((command) => (command === 'ping' ? { ok: 0, errmsg: 'not today', code: 13 } : hello))
    expect((await check(mongodb, { url: `mongodb://127.0.0.1:${bad}/` })).error).toContain('not today')
  })
  test('a server that never answers, an address that is none, a denied one', async () => {
    const silent = await fake(() => undefined)
    const started = performance.now()
    expect(await check(mongodb, { url: `mongodb://127.0.0.1:${silent}/` })).toMatchObject({ pass: false })
    expect(performance.now() - started).toBeLessThan(7000)
    expect(await check(mongodb, { url: 'http://x' })).toMatchObject({ invalid: true })
    expect((await check(mongodb, { url: 'mongodb://169.254.1.1/' })).error).toContain(
      'not allowed by the network policy',
    )
    expect(hostsOf('mongodb://u:p@a:1,[::1]:2/db?x=1')).toEqual(['a', '::1'])
  }, 15_000)
})

const sqlServerPort = await sqlServer()

describe('mssql', () => {
  test.runIf(hasSqlServerDriver)('signs in and counts rows; a wrong password is told without it', async () => {
    const at = (password: string) => `sqlserver://sa:${password}@127.0.0.1:${sqlServerPort}?database=x&encrypt=false`
    const query = { query: 'select 1 as n', results: 1 }
    expect(await check(mssql, { url: at(sqlServerPassword), ...query })).toMatchObject({
      pass: true,
      detail: { rows: [{ n: 1 }], count: 1 },
    })
    expect(await check(mssql, { url: at(sqlServerPassword), ...query, results: 2 })).toMatchObject({ pass: false })
    const refused = await check(mssql, { url: at('wrong-secret-2'), ...query })
    expect(refused).toMatchObject({ pass: false, invalid: false })
    expect(refused.error).toContain('Login failed')
    expect(refused.error).not.toContain('wrong-secret-2')
  })
  test.runIf(!hasSqlServerDriver)('without its driver the words say what to do', async () => {
    const result = await check(mssql, { url: 'sqlserver://sa:hunter22@127.0.0.1:1433?database=x' })
    expect(result).toMatchObject({
      invalid: true,
      error: 'the client "tedious" is not installed; run: npm install tedious',
    })
  })
  test('both ways of writing the address', () => {
    const target = { properties: {}, insecureTls: false }
    expect(mssqlAddress({ ...target, url: 'sqlserver://sa:p%40@h:1444?database=d' })).toMatchObject({
      host: 'h',
      port: 1444,
      username: 'sa',
      password: 'p@',
      database: 'd',
    })
    expect(mssqlAddress({ ...target, url: 'server=h,1444;user id=sa;password=p=1;database=d' })).toMatchObject({
      host: 'h',
      port: 1444,
      username: 'sa',
      password: 'p=1',
      database: 'd',
    })
    expect(() => mssqlAddress({ ...target, url: 'nothing' })).toThrow('must start with sqlserver://')
  })
})

test('mysql: the address in the form of other drivers', () => {
  expect(mysqlUrl('ann:p:w@tcp(h:3306)/shop?tls=true')).toBe('mysql://ann:p%3Aw@h:3306/shop?tls=true')
  expect(mysqlUrl('mysql://h/x')).toBe('mysql://h/x')
})

test('postgres: the network policy holds for the driver too', async () => {
  const ctx = testContext({ QUARTERDECK_NETWORK_DENY: '127.0.0.0/8,::1/128' })
  for (const host of ['127.0.0.1', 'localhost'])
    expect((await check(postgres, { url: `postgres://a:b@${host}:5432/x` }, { ctx })).error).toContain(
      'not allowed by the network policy',
    )
})

test('redis: a server that says nothing, and one that closes', async () => {
  const closing = await fake((socket) => socket.end())
  expect((await check(redis, { url: `127.0.0.1:${closing}` })).error).toMatch(/closed the connection|EPIPE|ECONNRESET/)
  expect(await check(redis, { url: '' })).toMatchObject({ invalid: true })
})
