import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** Whether the driver of SQL Server is there; it is not part of the installation. */
export const hasSqlServerDriver: boolean = await import('tedious' as string).then(
  () => true,
  () => false,
)

const packet = (body: Buffer) => {
  const head = Buffer.from([0x04, 0x01, 0, 0, 0, 0, 1, 0])
  head.writeUInt16BE(body.length + 8, 2)
  return Buffer.concat([head, body])
}
const short = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'utf16le')])
const sized = (token: number, content: Buffer) => {
  const head = Buffer.from([token, 0, 0])
  head.writeUInt16LE(content.length, 1)
  return Buffer.concat([head, content])
}
const done = (status: number, rows = 0) => {
  const token = Buffer.alloc(13)
  token.writeUInt8(0xfd, 0)
  token.writeUInt16LE(status, 1)
  token.writeUInt32LE(rows, 5)
  return token
}
/** Version, then: encryption is not supported. */
const preLogin = Buffer.from([0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xff, 16, 0, 0, 0, 0, 0, 2])
const welcome = Buffer.concat([
  sized(
    0xad,
    Buffer.concat([Buffer.from([1, 0x74, 0, 0, 4]), short('Microsoft SQL Server'), Buffer.from([16, 0, 0, 0])]),
  ),
  done(0),
])
const refused = (() => {
  const message = "Login failed for user 'sa'."
  const head = Buffer.alloc(8)
  head.writeInt32LE(18_456, 0)
  head.writeUInt8(1, 4)
  head.writeUInt8(14, 5)
  head.writeUInt16LE(message.length, 6)
  const rest = Buffer.concat([Buffer.from(message, 'utf16le'), short('test'), short(''), Buffer.alloc(4)])
  return Buffer.concat([sized(0xaa, Buffer.concat([head, rest])), done(2)])
})()
const oneRow = Buffer.concat([
  Buffer.from([0x81, 1, 0, 0, 0, 0, 0, 0, 0, 0x38]),
  short('n'),
  Buffer.from([0xd1, 1, 0, 0, 0]),
  done(0x10, 1),
])

export const sqlServerPassword = 'right-secret-1'

/** Passwords travel with their halves swapped and a mask over them. */
function passwordOf(login: Buffer): string {
  const start = login.readUInt16LE(44)
  const bytes = login.subarray(start, start + login.readUInt16LE(46) * 2)
  return Buffer.from(bytes.map((byte) => (((byte ^ 0xa5) >> 4) | ((byte ^ 0xa5) << 4)) & 0xff)).toString('utf16le')
}

function answer(socket: Socket) {
  let buffer = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk])
    while (buffer.length >= 8 && buffer.length >= buffer.readUInt16BE(2)) {
      const type = buffer.readUInt8(0)
      const body = buffer.subarray(8, buffer.readUInt16BE(2))
      buffer = buffer.subarray(body.length + 8)
      if (type === 0x12) socket.write(packet(preLogin))
      else if (type === 0x10) socket.write(packet(passwordOf(body) === sqlServerPassword ? welcome : refused))
      else if (type === 0x01) socket.write(packet(body.toString('utf16le').includes('select 1') ? oneRow : done(0)))
    }
  })
}

/**
 * A server that speaks the part of the Tabular Data Stream protocol (MS-TDS) that signing in and one batch take: `select 1`
 * gives one row with a column n. Answers its port.
 */
export async function sqlServer(): Promise<number> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return (server.address() as AddressInfo).port
}
