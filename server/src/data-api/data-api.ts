import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Principal } from '../platform/auth/principal.ts'
import { openDb } from '../platform/db/db.ts'
import { AppError } from '../platform/errors.ts'
import { Engine } from './engine.ts'
import type { AfterWrite, BeforeWrite, Reshape } from './hooks.ts'
import { type Limits, limitsFor } from './limits.ts'
import type { AccessRules } from './plan/access.ts'
import type { Method } from './request.ts'
import { errorAnswer, type HttpAnswer } from './response.ts'

export interface DataApiOptions {
  /** Where it is mounted, such as /api/db. */
  prefix: string
  principalOf(request: FastifyRequest): Promise<Principal | undefined> | Principal | undefined
  limits?: Partial<Limits>
  /** Connections it may use at once. */
  connections?: number
  rules?: AccessRules
}

export interface DataApi {
  /** Reads the schema anew, as after a migration. */
  reload(): Promise<void>
  /** Looks at every write on a relation before it happens, in the same transaction. */
  beforeWrite(relation: string, hook: BeforeWrite): void
  /** For clients that send what is no column: puts each row into the shape of its table before it is planned. */
  reshape(relation: string, change: Reshape): void
  /** Follows every write on a relation, in the same transaction. */
  afterWrite(relation: string, hook: AfterWrite): void
}

const methods: Method[] = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']

/** Serves the tables, views and functions of the database under a prefix, as PostgREST would. See docs/data-api.md. */
export async function registerDataApi(app: FastifyInstance, ctx: Context, options: DataApiOptions): Promise<DataApi> {
  const url = ctx.db.pool.options.connectionString!
  const limits = { ...limitsFor(url), ...options.limits }
  // Connections of its own: a slow report must not keep the engines waiting, and the time limit is the API's alone.
  const db = openDb({
    url,
    max: options.connections ?? 10,
    applicationName: 'quarterdeck data api',
    session: { statement_timeout: String(limits.statementTimeout), timezone: 'UTC' },
    waitFor: 10_000,
    onError: (error) => ctx.log.warn({ err: error }, 'a connection of the data API broke'),
  })
  const engine = new Engine({ ctx, db, limits, rules: options.rules })
  // Another process migrated, or one may have while we could not hear it.
  const reread = () =>
    void engine.reload().catch((error: unknown) => ctx.log.warn({ err: error }, 'could not read the schema again'))
  const deaf = [ctx.live.listener.on('quarterdeck_schema', reread), ctx.live.listener.onReconnect(reread)]
  app.addHook('onClose', async () => {
    for (const stop of deaf) stop()
    await db.close()
  })

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: limits.bodyBytes }, (_, body, done) =>
      done(null, body),
    )
    scope.setErrorHandler((error, request, reply) => fail(error, request, reply))
    const handler = (request: FastifyRequest, reply: FastifyReply) => serve(engine, request, reply)
    const onRequest = async (request: FastifyRequest) => {
      request.principal = (await options.principalOf(request)) ?? refuse()
    }
    for (const url of [options.prefix, `${options.prefix}/*`]) {
      scope.route({ method: methods, url, exposeHeadRoute: false, onRequest, handler })
    }
  })
  return {
    reload: () => engine.reload(),
    beforeWrite: (relation, hook) => engine.hooks.beforeWrite(relation, hook),
    reshape: (relation, change) => engine.hooks.reshape(relation, change),
    afterWrite: (relation, hook) => engine.hooks.afterWrite(relation, hook),
  }
}

function refuse(): never {
  throw new AppError(401, 'PGRST301', 'Sign in to use the data API')
}

async function serve(engine: Engine, request: FastifyRequest, reply: FastifyReply) {
  const url = request.raw.url ?? ''
  const question = url.indexOf('?')
  const answer = await engine.handle(
    {
      method: request.method as Method,
      path: (request.params as { '*'?: string })['*'] ?? '',
      query: question < 0 ? '' : url.slice(question + 1),
      headers: request.headers,
      body: request.body as Buffer | undefined,
    },
    request.principal!,
  )
  return send(reply, answer)
}

function send(reply: FastifyReply, answer: HttpAnswer) {
  return reply
    .code(answer.status)
    .headers(answer.headers)
    .send(answer.body === '' ? undefined : answer.body)
}

function fail(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const known = errorAnswer(error) ?? errorAnswer(httpRefusal(error))
  if (!known || known.status >= 500) {
    request.log.error(
      { err: error, method: request.method, route: request.routeOptions?.url },
      'data API request failed',
    )
  }
  return send(reply, known ?? errorAnswer(new AppError(500, 'XX000', 'Internal Server Error'))!)
}

/** Refusals of the HTTP server itself, such as a body over the limit. */
function httpRefusal(error: unknown): AppError | undefined {
  const { statusCode, message } = error as { statusCode?: number; message?: string }
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return undefined
  const hint = statusCode === 413 ? 'Send fewer rows at a time.' : null
  return new AppError(
    statusCode,
    statusCode === 413 || statusCode === 415 ? 'PGRST102' : 'PGRST100',
    message ?? 'Bad request',
    null,
    hint,
  )
}
