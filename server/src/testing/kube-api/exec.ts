import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { KubeApi } from './kube-api.ts'

/** What is asked to run where. */
export interface ExecRequest {
  namespace: string
  pod: string
  container: string | null
  command: string[]
}

/**
 * Lets programs be run "in pods" over the protocol of the real server (v4.channel.k8s.io): each pod is a folder of this
 * machine, and absolute paths in a command are paths in that folder.
 */
export function serveExec(api: KubeApi, folderOf: (request: ExecRequest) => string | undefined): void {
  api.onUpgrade((request, socket) => {
    const url = new URL(request.url!, 'http://cluster')
    const found = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/exec$/.exec(url.pathname)
    const isAllowed = request.headers.authorization === `Bearer ${api.token}`
    const protocols = request.headers['sec-websocket-protocol'] ?? ''
    if (!found || !isAllowed || !protocols.includes('v4.channel.k8s.io'))
      return void socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
    const asked = {
      namespace: found[1]!,
      pod: found[2]!,
      container: url.searchParams.get('container'),
      command: url.searchParams.getAll('command'),
    }
    const folder = folderOf(asked)
    if (!folder) return void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n')
    accept(request, socket)
    run(asked.command, folder, socket)
  })
}

function accept(request: IncomingMessage, socket: Duplex): void {
  const key = String(request.headers['sec-websocket-key'])
  const answer = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  socket.write(
    [
      'HTTP/1.1 101 Switching Protocols',
      'upgrade: websocket',
      'connection: Upgrade',
      `sec-websocket-accept: ${answer}`,
      'sec-websocket-protocol: v4.channel.k8s.io',
      '\r\n',
    ].join('\r\n'),
  )
  socket.on('error', () => undefined)
}

function run(command: string[], folder: string, socket: Duplex): void {
  const [program = '', ...args] = command.map((part) => (part.startsWith('/') ? folder + part : part))
  const child = spawn(program, args)
  const cut = (data: Buffer) => Buffer.from(data.toString('latin1').replaceAll(folder, ''), 'latin1')
  child.stdout.on('data', (data: Buffer) => send(socket, 1, cut(data)))
  child.stderr.on('data', (data: Buffer) => send(socket, 2, cut(data)))
  child.once('error', (error) =>
    finish(socket, { status: 'Failure', message: error.message, reason: 'InternalError', code: 500 }),
  )
  child.once('close', (code) => {
    const causes = [{ reason: 'ExitCode', message: String(code) }]
    const message = `command terminated with non-zero exit code`
    finish(
      socket,
      code === 0
        ? { status: 'Success' }
        : { status: 'Failure', reason: 'NonZeroExitCode', message, details: { causes } },
    )
  })
}

function finish(socket: Duplex, status: object): void {
  send(socket, 3, Buffer.from(JSON.stringify({ metadata: {}, ...status })))
  socket.end(frame(8, Buffer.from([0x03, 0xe8])))
}

const send = (socket: Duplex, channel: number, data: Buffer): boolean =>
  socket.write(frame(2, Buffer.concat([Buffer.from([channel]), data])))

/** One frame of a server, which are never masked. */
function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload
  if (length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, length]), payload])
  const head = Buffer.alloc(length < 65_536 ? 4 : 10)
  head[0] = 0x80 | opcode
  head[1] = length < 65_536 ? 126 : 127
  if (length < 65_536) head.writeUInt16BE(length, 2)
  else head.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([head, payload])
}
