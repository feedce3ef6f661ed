import type { Role } from '@quarterdeck/contract/permissions'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import { afterAll } from 'vitest'
import type { Context } from '../context.ts'
import type { Principal } from '../platform/auth/principal.ts'
import { testContext } from '../testing/context.ts'
import type { TestDatabase } from '../testing/database.ts'
import type { Row } from './parse/body.ts'
import { type DataApi, type DataApiOptions, registerDataApi } from './data-api.ts'

export interface TestAnswer {
  status: number
  headers: Record<string, string | undefined>
  text: string
  json: unknown
  /** The body when it is a list, else an empty one. */
  rows: Row[]
  /** The body when it is an object: an error, or a single row. */
  object: Row
}

export interface TestApi extends DataApi {
  app: FastifyInstance
  send(method: string, url: string, options?: SendOptions): Promise<TestAnswer>
  get(url: string, options?: SendOptions): Promise<TestAnswer>
  post(url: string, body: unknown, options?: SendOptions): Promise<TestAnswer>
  patch(url: string, body: unknown, options?: SendOptions): Promise<TestAnswer>
  delete(url: string, options?: SendOptions): Promise<TestAnswer>
}

export interface SendOptions {
  as?: Role | 'nobody'
  prefer?: string
  headers?: Record<string, string>
  body?: unknown
}

export const actor = '018f0000-0000-7000-8000-00000000aaaa'

/** A data API of its own on a bare server, called by a person whose role each request names; an administrator if none. */
export async function testApi(
  db: TestDatabase,
  options: Partial<DataApiOptions> = {},
  changes: Partial<Context> = {},
): Promise<TestApi> {
  const app = Fastify({ logger: false })
  const api = await registerDataApi(app, testContext(db, changes), {
    prefix: '/api/db',
    principalOf: testPrincipal,
    connections: 4,
    ...options,
  })
  afterAll(() => app.close())
  await api.reload()

  const send = async (
    method: string,
    url: string,
    { as, prefer, headers, body }: SendOptions = {},
  ): Promise<TestAnswer> => {
    const isText = typeof body === 'string' || Buffer.isBuffer(body)
    const answer = await app.inject({
      method: method as InjectOptions['method'],
      url: `/api/db${url}`,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(prefer === undefined ? {} : { prefer }),
        ...(as === undefined ? {} : { 'x-test-role': as }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: isText ? body : JSON.stringify(body) }),
    })
    const text = answer.body
    const type = answer.headers['content-type'] ?? ''
    const json: unknown = type.includes('json') && text !== '' ? JSON.parse(text) : undefined
    return {
      status: answer.statusCode,
      headers: answer.headers as TestAnswer['headers'],
      text,
      json,
      rows: Array.isArray(json) ? json : [],
      object: typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Row) : {},
    }
  }
  const representation = { prefer: 'return=representation' }
  return {
    ...api,
    app,
    send,
    get: (url, more) => send('GET', url, more),
    post: (url, body, more) => send('POST', url, { ...representation, ...more, body }),
    patch: (url, body, more) => send('PATCH', url, { ...representation, ...more, body }),
    delete: (url, more) => send('DELETE', url, { ...representation, ...more }),
  }
}

function testPrincipal(request: { headers: Record<string, unknown> }): Principal | undefined {
  const role = (request.headers['x-test-role'] ?? 'admin') as Role | 'nobody'
  if (role === 'nobody') return undefined
  return { kind: 'person', id: actor, name: 'Ada', email: 'ada@example.test', roles: [role] }
}
