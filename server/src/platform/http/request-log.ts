import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

const secretName = /pass|token|secret|key|code|credential|session|signature|state/i
const linesPerSecond = 50
const slow = 1000

/** The address as it may stand in a log: values of telling names are hidden. */
export function safeAddress(url: string): string {
  const mark = url.indexOf('?')
  if (mark < 0) return url
  const query = url
    .slice(mark + 1)
    .split('&')
    .map((pair) => (secretName.test(pair.split('=')[0] ?? '') ? `${pair.split('=')[0]}=[hidden]` : pair))
    .join('&')
  return `${url.slice(0, mark)}?${query.length > 300 ? `${query.slice(0, 300)}…` : query}`
}

/** One line per request worth it: writes, refusals and slow reads at info, everything else at debug, never more than the log can bear. */
export function logRequests(app: FastifyInstance, log: Logger): void {
  let second = 0
  let lines = 0
  let dropped = 0
  app.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(reply.elapsedTime)
    const level = levelOf(request, reply.statusCode, ms)
    if (!log.isLevelEnabled(level)) return
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) {
      if (dropped > 0) request.log.warn({ dropped }, 'request lines were left out')
      second = now
      lines = 0
      dropped = 0
    }
    if (++lines > linesPerSecond && level !== 'debug') {
      dropped++
      return
    }
    const facts = {
      method: request.method,
      url: safeAddress(request.url),
      status: reply.statusCode,
      ms,
      user: request.principal?.id,
    }
    request.log[level](facts, 'request')
  })
}

function levelOf(request: FastifyRequest, status: number, ms: number): 'info' | 'debug' {
  if (status >= 500 || ms >= slow) return 'info'
  if (status === 401 || status === 404) return 'debug'
  return status >= 400 || (request.method !== 'GET' && request.method !== 'HEAD') ? 'info' : 'debug'
}
