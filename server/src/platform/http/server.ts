import { randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import { compressAnswers } from './compress.ts'
import { allowOrigins } from './cors.ts'
import { errorAnswer, errorBody } from './error-answer.ts'
import { logRequests } from './request-log.ts'
import { addSecurityHeaders, always, refuseForeignWrites } from './security.ts'
import { closeQuickly } from './close-quickly.ts'
import { forms } from './raw-form.ts'

export interface ServerOptions {
  log: Logger
  trustedProxies: string[]
  /** The operator lets a property run script in the console. */
  snippets?: boolean
  /** Where the hosted identity provider brings its forms from. */
  hosted?: string
  /** Other origins whose consoles may use this server. */
  origins?: readonly string[]
  /** Sessions are switched off. */
  ambient?: boolean
}

const bodyLimit = 4 * 1024 * 1024

/** A bare server with everything that holds for each request: ids, log, headers, error answers, body rules. No routes. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { log, trustedProxies, snippets, hosted, origins = [], ambient = false } = options
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request' }),
    trustProxy: trustedProxies,
    genReqId: (request) => cleanId(request.headers['x-request-id']) ?? randomUUID(),
    bodyLimit,
    // Lists of ids are part of the address: id=in.(…) of a few hundred is over Node's 16 kB already.
    http: { maxHeaderSize: 1024 * 1024 },
    routerOptions: { maxParamLength: 2000 },
    forceCloseConnections: 'idle',
    // A malformed address never reaches the routes, and so not the error handler either.
    frameworkErrors(error, request, reply) {
      void fail(error, request as FastifyRequest, reply as FastifyReply)
    },
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) return
      const tooLong = error.code === 'HPE_HEADER_OVERFLOW'
      const body = JSON.stringify(
        errorBody(
          tooLong ? 'too_large' : 'invalid',
          tooLong ? 'The request headers are too large' : 'This is not a valid HTTP request',
        ),
      )
      const status = tooLong ? '431 Request Header Fields Too Large' : '400 Bad Request'
      socket.end(
        `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      )
    },
  })
  app.decorateRequest('principal', undefined)
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  addSecurityHeaders(app, snippets, hosted)
  allowOrigins(app, origins)
  refuseForeignWrites(app, { origins, ambient })
  compressAnswers(app)
  logRequests(app, log)
  closeQuickly(app)
  parseBodies(app)
  app.setErrorHandler((error, request, reply) => fail(error, request, reply))
  return app
}

function cleanId(given: unknown): string | undefined {
  return typeof given === 'string' && /^[\w.:-]{1,100}$/.test(given) ? given : undefined
}

function fail(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { status, body } = errorAnswer(error)
  // What is not there is no failure of ours.
  if (status >= 500 && status !== 501)
    request.log.error({ err: error, method: request.method, route: request.routeOptions?.url }, 'request failed')
  const { retryAfter } = error as { retryAfter?: number }
  if (status === 429 && retryAfter) void reply.header('retry-after', String(retryAfter))
  return reply
    .code(status)
    .headers(always)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))
}

/** JSON, where an empty body counts as none, and forms, which the sign-in pages of other clients send. */
function parseBodies(app: FastifyInstance): void {
  const json = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined)
    else void json(request, text as string, done)
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, text, done) => {
    forms.set(request, text as string)
    done(null, Object.fromEntries(new URLSearchParams(text as string)))
  })
}
