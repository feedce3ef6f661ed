import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, describe, expect, test } from 'vitest'
import { tried } from './testing.ts'

const closing: (() => void)[] = []
afterAll(() => closing.forEach((close) => close()))
async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}

describe('email, against an SMTP server', () => {
  const mails: string[] = []
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN', 'CRAM-MD5'],
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, done) => {
      const isRight =
        auth.username === 'ann' && (auth.password === 's3cret/p@ss' || auth.validatePassword?.('s3cret/p@ss'))
      done(isRight ? null : new Error('Invalid username or password'), { user: auth.username })
    },
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString())
        done()
      })
    },
  })
  server.on('error', () => undefined)
  const form = async (more: object) => {
    const port = server.server.listening
      ? (server.server.address() as AddressInfo).port
      : await listening(server.server as Server)
    return { host: '127.0.0.1', port, username: 'ann', password: 's3cret/p@ss', from: 'ops@q.test', ...more }
  }
  test.each(['Unknown', 'Plain', 'CRAMMD5'])('a mail goes to the sender itself (%s)', async (authMethod) => {
    expect(await tried('email', await form({ authMethod, fromName: 'The "Deck"\r\nBcc: x' }))).toBe('ok')
    expect(mails.at(-1)).toMatch(/^To: ops@q\.test\r$/m)
    expect(mails.at(-1)).not.toMatch(/^Bcc:/m)
  })
  test('a wrong password, encryption that is not offered, nobody there', async () => {
    const refused = await tried('email', await form({ password: 'wrong-secret-2' }))
    expect(refused).toContain('Invalid username or password')
    expect(refused).not.toContain('wrong-secret-2')
    expect(await tried('email', await form({ encryptionMethod: 'ExplicitTLS' }))).toMatch(/TLS|STARTTLS/)
    expect(await tried('email', await form({ port: 1 }))).toMatch(/refused|ECONNREFUSED/)
    expect(await tried('email', await form({ from: '' }))).toBe('the From address is missing')
    const settings = { QUARTERDECK_NETWORK_DENY: '127.0.0.0/8' }
    expect(await tried('email', await form({}), { settings })).toContain('network policy')
  })
})

describe('mongo, against the wire protocol with SCRAM-SHA-256', () => {
  const nonce = 'server-nonce'
  const salt = Buffer.from('salt-of-the-test')
  const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const salted = pbkdf2Sync('right-secret-1', salt, 4096, 32, 'sha256')

  async function mongoServer(): Promise<number> {
    const { BSON } = await import('mongodb')
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
    const onSocket = (socket: Socket) => {
      let first = ''
      let isIn = false
      const payload = (text: string, done: boolean) => ({
        ok: 1,
        conversationId: 1,
        done,
        payload: new BSON.Binary(Buffer.from(text)),
      })
      const answer = (command: Record<string, unknown>): object => {
        const [name = ''] = Object.keys(command)
        const text = () => Buffer.from((command.payload as { buffer: Uint8Array }).buffer).toString()
        if (name === 'saslStart') {
          const bare = text().slice(3)
          first = `${bare},r=${/r=([^,]+)/.exec(bare)![1]}${nonce},s=${salt.toString('base64')},i=4096`
          return payload(first.slice(bare.length + 1), false)
        }
        if (name === 'saslContinue') {
          const final = text()
          const [withoutProof, proof = ''] = final.split(',p=')
          const message = `${first},${withoutProof}`
          const clientKey = hmac(salted, 'Client Key')
          const signature = hmac(createHash('sha256').update(clientKey).digest(), message)
          const expected = Buffer.from(clientKey.map((byte, at) => byte ^ signature[at]!)).toString('base64')
          if (proof !== expected) return { ok: 0, errmsg: 'Authentication failed.', code: 18 }
          isIn = true
          return payload(`v=${hmac(hmac(salted, 'Server Key'), message).toString('base64')}`, true)
        }
        if (name === 'ping') return isIn ? { ok: 1 } : { ok: 0, errmsg: 'requires authentication', code: 13 }
        return hello
      }
      let buffer = Buffer.alloc(0)
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        buffer = Buffer.concat([buffer, chunk])
        while (buffer.length >= 16 && buffer.length >= buffer.readInt32LE(0)) {
          const message = buffer.subarray(0, buffer.readInt32LE(0))
          buffer = buffer.subarray(message.length)
          const isQuery = message.readInt32LE(12) === 2004
          const start = isQuery ? message.indexOf(0, 20) + 9 : 21
          const document = Buffer.from(
            BSON.serialize(answer(BSON.deserialize(message.subarray(start, start + message.readInt32LE(start))))),
          )
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
    }
    return listening(createServer(onSocket))
  }
  test('signs in and pings; a wrong password; nobody there', async () => {
    const port = await mongoServer()
    const url = `mongodb://$(username):$(password)@127.0.0.1:${port}/?authMechanism=SCRAM-SHA-256`
    expect(await tried('mongo', { url, username: 'ann', password: 'right-secret-1' })).toBe('ok')
    const refused = await tried('mongo', { url, username: 'ann', password: 'wrong-secret-2' })
    expect(refused).toContain('Authentication failed')
    expect(refused).not.toContain('wrong-secret-2')
    expect(await tried('mongo', { url: 'mongodb://127.0.0.1:1/' })).toMatch(/refused|ECONNREFUSED/)
    expect(await tried('mongo', { url: 'http://x' })).toBe('the url must start with mongodb://')
  }, 30_000)
})

describe('windows, against NTLM over HTTP', () => {
  const challenge = Buffer.alloc(48)
  Buffer.from('NTLMSSP\0').copy(challenge)
  challenge.writeUInt32LE(2, 8)
  test('identifies itself to those it knows', async () => {
    const seen: string[] = []
    const server = createHttpServer((request, response) => {
      const message = Buffer.from((request.headers.authorization ?? '').replace('NTLM ', ''), 'base64')
      const type = message.length > 8 ? message.readUInt32LE(8) : 0
      const offered = type === 1 ? `NTLM ${challenge.toString('base64')}` : 'NTLM'
      const text = (at: number) =>
        message.toString(
          'utf16le',
          message.readUInt32LE(at + 4),
          message.readUInt32LE(at + 4) + message.readUInt16LE(at),
        )
      const user = type === 3 ? `${text(28)}\\${text(36)}` : ''
      if (user) seen.push(user)
      request.resume()
      if (user !== 'CORP\\ann') return response.writeHead(401, { 'www-authenticate': offered }).end()
      return response.end('<s:Envelope><wsmid:IdentifyResponse/></s:Envelope>')
    })
    const port = await listening(server)
    const values = { url: `127.0.0.1:${port}`, username: 'ann', password: 'right-secret-1', domain: 'CORP' }
    expect(await tried('windows', values)).toBe('ok')
    expect(seen).toEqual(['CORP\\ann'])
    expect(await tried('windows', { ...values, username: 'bob' })).toContain('refused the username or password')
    expect(await tried('windows', { ...values, url: '127.0.0.1:1' })).toMatch(/refused|ECONNREFUSED/)
  })
})

describe('folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'qd-folder-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  test('is there, is not there, is none', async () => {
    writeFileSync(join(folder, 'file'), '')
    expect(await tried('folder', { path: folder })).toBe('ok')
    expect(await tried('folder', { path: `${folder}/none` })).toBe(`${folder}/none does not exist`)
    expect(await tried('folder', { path: `${folder}/file` })).toContain('is not a folder')
    expect(await tried('folder', { path: 'relative' })).toContain('does not begin at the root')
  })
})

test('aws: who the keys belong to, against a server that knows one access key', async () => {
  const port = await listening(
    createHttpServer((request, response) => {
      const isKnown = request.headers.authorization?.includes('Credential=AKIAGOOD/')
      request.resume()
      response
        .writeHead(isKnown ? 200 : 403)
        .end(
          isKnown
            ? '<GetCallerIdentityResponse/>'
            : '<Error><Code>InvalidClientTokenId</Code><Message>The security token is invalid</Message></Error>',
        )
    }),
  )
  const values = {
    region: 'eu-west-1',
    username: 'AKIAGOOD',
    password: 'aws-secret-1',
    url: `http://127.0.0.1:${port}`,
  }
  expect(await tried('aws', values)).toBe('ok')
  const refused = await tried('aws', { ...values, username: 'AKIABAD' })
  expect(refused).toContain('InvalidClientTokenId')
  expect(await tried('aws', { ...values, url: 'http://127.0.0.1:1' })).toMatch(/refused|ECONNREFUSED/)
})

test.each(['ifttt', 'google_chat', 'mattermost', 'rocketchat', 'teams', 'jmeter'])(
  '%s can only be tried by using it',
  async (type) => expect(await tried(type, {})).toContain('can only be tried by using them'),
)
