import { createHash, randomBytes } from 'node:crypto'
import type { ClientRun } from './run.ts'
import { exchange, type HttpAnswer, type HttpRequest } from './http.ts'

/** HTTP digest authentication (RFC 7616): asks, is refused with a nonce, and asks again with the proof. */
export async function digestAuth(
  run: ClientRun,
  request: HttpRequest,
  who: { username: string; password: string },
): Promise<HttpAnswer> {
  const first = await exchange(run, request)
  const offered = first.headers['www-authenticate'] ?? ''
  if (first.code !== 401 || !/^digest/i.test(offered)) return first
  const path = request.url.pathname + request.url.search
  const authorization = digestHeader(offered, { ...who, method: request.method ?? 'GET', path })
  return exchange(run, { ...request, headers: { ...request.headers, authorization } })
}

export function digestHeader(
  offered: string,
  { username, password, method, path }: { username: string; password: string; method: string; path: string },
  cnonce = randomBytes(8).toString('hex'),
): string {
  const field = (name: string) => new RegExp(`${name}=(?:"([^"]*)"|([^\\s,]+))`, 'i').exec(offered)
  const value = (name: string) => field(name)?.[1] ?? field(name)?.[2]
  const algorithm = value('algorithm') ?? 'MD5'
  const hash = (text: string) =>
    createHash(/^sha-256/i.test(algorithm) ? 'sha256' : 'md5')
      .update(text)
      .digest('hex')
  const [realm = '', nonce = ''] = [value('realm'), value('nonce')]
  const qop = value('qop')
    ?.split(',')
    .map((each) => each.trim())
    .includes('auth')
    ? 'auth'
    : undefined
  const ha1 = hash(`${username}:${realm}:${password}`)
  const secret = /-sess$/i.test(algorithm) ? hash(`${ha1}:${nonce}:${cnonce}`) : ha1
  const ha2 = hash(`${method}:${path}`)
  const response = hash(qop ? `${secret}:${nonce}:00000001:${cnonce}:${qop}:${ha2}` : `${secret}:${nonce}:${ha2}`)
  const parts = [
    `username="${username}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${path}"`,
    `response="${response}"`,
    `algorithm=${algorithm}`,
  ]
  if (qop) parts.push(`qop=${qop}`, 'nc=00000001', `cnonce="${cnonce}"`)
  const opaque = value('opaque')
  if (opaque !== undefined) parts.push(`opaque="${opaque}"`)
  return `Digest ${parts.join(', ')}`
}
