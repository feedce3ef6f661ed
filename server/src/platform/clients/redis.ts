import { connect as startTls, type TLSSocket } from 'node:tls'
import type { Socket } from 'node:net'
import { dialerOf } from '../network/dialer.ts'
import { type ClientRun, InvalidTarget, type Target } from './run.ts'
import { onAbort } from './support.ts'

/** Signs in, chooses the database, and gives the answer to PING. */
export async function pingRedis(run: ClientRun, target: Target, chosen?: number): Promise<string> {
  const url = redisUrl(target.url)
  const username = target.username ?? decodeURIComponent(url.username)
  const password = target.password ?? decodeURIComponent(url.password)
  const db = chosen ?? Number(target.properties.db || url.pathname.slice(1) || 0)
  if (!Number.isInteger(db)) throw new InvalidTarget('db is not a number')
  const socket = await open(run, url, target.insecureTls)
  const forget = onAbort(run.signal, () => socket.destroy())
  try {
    const ask = conversation(socket)
    if (password) await ask(...(username ? ['AUTH', username, password] : ['AUTH', password]))
    if (db) await ask('SELECT', String(db))
    return await ask('PING')
  } finally {
    forget()
    socket.destroy()
  }
}

function redisUrl(text: string | undefined): URL {
  if (!text) throw new InvalidTarget('there is no url, neither here nor in the connection')
  try {
    const url = new URL(/^rediss?:\/\//.test(text) ? text : `redis://${text}`)
    if (url.hostname) return url
  } catch {
    // Said below.
  }
  throw new InvalidTarget('the url must be host:port or redis://host:port')
}

async function open(run: ClientRun, url: URL, insecure: boolean): Promise<Socket> {
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
