import { connect as startTls, type TLSSocket } from 'node:tls'
import type { Socket } from 'node:net'
import { RedisCheck } from '@quarterdeck/contract/checks/redis'
import { dialerOf } from '../../../platform/network/dialer.ts'
import type { CheckKind, CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { targetOf } from './credentials.ts'
import { onAbort } from './support.ts'

export const redis: CheckKind<RedisCheck> = {
  key: 'redis',
  schema: RedisCheck,
  templatable: false,
  endpoint: (spec) => spec.url ?? spec.addr ?? spec.connection ?? '',
  timeoutMs: () => 10_000,
  async run(run, spec) {
    const target = await targetOf(run, { ...spec, url: spec.url ?? spec.addr })
    const url = redisUrl(target.url)
    const username = target.username ?? decodeURIComponent(url.username)
    const password = target.password ?? decodeURIComponent(url.password)
    const db = spec.db ?? Number(target.properties.db || url.pathname.slice(1) || 0)
    if (!Number.isInteger(db)) throw new InvalidCheck('db is not a number')
    const socket = await open(run, url, target.insecureTls)
    const forget = onAbort(run.signal, () => socket.destroy())
    try {
      const ask = conversation(socket)
      if (password) await ask(...(username ? ['AUTH', username, password] : ['AUTH', password]))
      if (db) await ask('SELECT', String(db))
      const answer = await ask('PING')
      return answer === 'PONG' ? { pass: true } : { pass: false, errors: [`PING was answered with "${answer}"`] }
    } finally {
      forget()
      socket.destroy()
    }
  },
}

function redisUrl(text: string | undefined): URL {
  if (!text) throw new InvalidCheck('there is no url, neither here nor in the connection')
  try {
    const url = new URL(/^rediss?:\/\//.test(text) ? text : `redis://${text}`)
    if (url.hostname) return url
  } catch {
    // Said below.
  }
  throw new InvalidCheck('the url must be host:port or redis://host:port')
}

async function open(run: CheckRun, url: URL, insecure: boolean): Promise<Socket> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const socket = await dialerOf(run.ctx).connectTcp(host, Number(url.port || 6379), { signal: run.signal })
  if (url.protocol !== 'rediss:') return socket
  return new Promise<TLSSocket>((resolve, reject) => {
    const secure = startTls({ socket, servername: host, rejectUnauthorized: !insecure })
    secure.once('secureConnect', () => resolve(secure))
    secure.once('error', reject)
  })
}

/** One command at a time, one line for an answer: nothing else is needed to say hello. */
function conversation(socket: Socket): (...words: string[]) => Promise<string> {
  let buffer = ''
  let waiting: { resolve: (line: string) => void; reject: (error: Error) => void } | undefined
  const fail = (error: Error) => waiting?.reject(error)
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed the connection')))
  socket.on('data', (chunk: Buffer) => {
    buffer += chunk.toString('utf8')
    const end = buffer.indexOf('\r\n')
    if (end < 0) return void (buffer.length > 65_536 && fail(new Error('the answer is not that of a Redis server')))
    const line = buffer.slice(0, end)
    buffer = buffer.slice(end + 2)
    if (line.startsWith('+')) waiting?.resolve(line.slice(1))
    else if (line.startsWith('-')) fail(new Error(line.slice(1)))
    else fail(new Error(`the answer is not that of a Redis server: ${line.slice(0, 100)}`))
  })
  return (...words) =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject }
      const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
      socket.write(`*${words.length}\r\n${parts.join('')}`)
    })
}
