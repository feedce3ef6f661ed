import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Agent, type Dispatcher } from 'undici'
import { AppError } from '../errors.ts'

export interface Backend {
  /** Sends a call of the console on, whatever its method and body, and streams the answer back. */
  forward(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
  /** A call of our own; throws when the backend cannot be reached. */
  get(path: string, headers?: Record<string, string>): Promise<{ status: number; text: string }>
  close(): Promise<void>
}

export interface BackendOptions {
  url: string
  /** Servers with only the health part have the check service at their root. */
  healthOnly: boolean
}

const timeout = 600_000
/** Between two neighbours only (RFC 9110 7.6.1), and what we say ourselves. */
const notForwarded = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host expect'.split(
    ' ',
  ),
)

/** Another server of the same API. Whether it answers under /api or at its root is found out at the first call. */
export function connectBackend({ url, healthOnly }: BackendOptions): Backend {
  const base = new URL(url)
  const agent = new Agent({
    headersTimeout: timeout,
    bodyTimeout: timeout,
    connect: { timeout: 10_000 },
    connections: 256,
  })
  let prefixed: Promise<boolean> | undefined

  const send = (path: string, options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>) =>
    agent
      .request({ origin: base.origin, path: base.pathname.replace(/\/$/, '') + path, ...options })
      .catch((error: Error & { code?: string }) => {
        if (error.name === 'AbortError') throw error
        throw new AppError(
          502,
          'bad_gateway',
          'The backend cannot be reached',
          error.code ?? error.message,
          'Check BACKEND_URL and that the server there runs.',
        )
      })

  const answersUnderApi = async () => {
    const { statusCode, body } = await send('/api/_health', { method: 'GET', headers: { accept: 'application/json' } })
    const text = await body.text()
    if (statusCode >= 500)
      throw new AppError(502, 'bad_gateway', 'The backend is not ready', `it answered ${statusCode}`)
    return statusCode === 200 && /"health"\s*:\s*"ok"/.test(text)
  }
  const place = async (path: string) => {
    prefixed ??= answersUnderApi()
    prefixed.catch(() => (prefixed = undefined))
    return (await prefixed) ? path : withoutPrefix(path, healthOnly)
  }

  return {
    async forward(request, reply) {
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const answer = await send(await place(request.url), {
        method: request.method as Dispatcher.HttpMethod,
        headers: requestHeaders(request, base.host),
        body: request.body instanceof Object ? (request.body as Readable) : null,
        signal: gone.signal,
      })
      reply.code(answer.statusCode)
      for (const [name, value] of Object.entries(answer.headers)) {
        if (value !== undefined && !notForwarded.has(name)) reply.header(name, value)
      }
      return reply.send(answer.body)
    },
    async get(path, headers = {}) {
      const { statusCode, body } = await send(await place(path), {
        method: 'GET',
        headers: { accept: 'application/json', ...headers },
      })
      return { status: statusCode, text: await body.text() }
    },
    close: () => agent.destroy(),
  }
}

/** The mapping of the deployments where a web server takes /api off: identity is /kratos there, health-only has no /canary. */
export function withoutPrefix(path: string, healthOnly: boolean): string {
  const rest = path
    .replace(/^\/api(?=\/|\?|$)/, '')
    .replace(/^\/\.ory(?=\/|\?|$)/, '/kratos')
    .replace(/^\/canary(?=\/|\?|$)/, healthOnly ? '' : '/canary')
  return rest.startsWith('/') ? rest : `/${rest}`
}

function requestHeaders(request: FastifyRequest, host: string): IncomingHttpHeaders {
  const kept = Object.entries(request.headers).filter(([name]) => !notForwarded.has(name))
  const before = request.headers['x-forwarded-for']
  return {
    ...Object.fromEntries(kept),
    host,
    'x-request-id': request.id,
    'x-forwarded-for': [before, request.socket.remoteAddress].filter(Boolean).join(', '),
    'x-forwarded-host': request.host,
    'x-forwarded-proto': request.protocol,
  }
}

/** Everything under /api goes to the backend; bodies pass through unread. */
export async function forwardApi(app: FastifyInstance, backend: Backend): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_, payload, done) => done(null, payload))
    const url = '/api/*'
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url,
      exposeHeadRoute: false,
      handler: (request, reply) => backend.forward(request, reply),
    })
  })
  app.addHook('onClose', () => backend.close())
}
