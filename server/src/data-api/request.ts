import type { IncomingHttpHeaders } from 'node:http'
import { schemaRefused } from './errors.ts'
import type { Limits } from './limits.ts'
import { type Answer, parseAccept } from './parse/accept.ts'
import { type Preferences, parsePrefer } from './parse/prefer.ts'
import { type ParsedQuery, parseQuery } from './parse/query.ts'
import { type RowRange, rowRange } from './parse/range.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE' | 'OPTIONS'

export type Target = { kind: 'root' } | { kind: 'relation'; name: string } | { kind: 'routine'; name: string }

/** A call as it came in over HTTP. */
export interface HttpCall {
  method: Method
  /** What follows the prefix of the data API, decoded. */
  path: string
  /** What follows the question mark, as sent. */
  query: string
  headers: IncomingHttpHeaders
  body?: Buffer
}

/** First stage: what the call says, read but not yet judged. */
export interface ApiRequest {
  method: Method
  target: Target
  query: ParsedQuery
  range: RowRange
  prefer: Preferences
  answer: Answer
}

export function targetOf(path: string): Target {
  const name = path.replace(/^\/+|\/+$/g, '')
  if (name === '') return { kind: 'root' }
  return name.startsWith('rpc/') ? { kind: 'routine', name: name.slice(4) } : { kind: 'relation', name }
}

export interface ReadingContext {
  limits: Limits
  now(): Date
  /** Names of all arguments of a function, whichever of its forms. */
  argumentsOf(routine: string): ReadonlySet<string>
}

export function readRequest(call: HttpCall, target: Target, context: ReadingContext): ApiRequest {
  const { method, headers } = call
  const args = target.kind === 'routine' && method !== 'POST' ? context.argumentsOf(target.name) : undefined
  const query = parseQuery(call.query, {
    limits: context.limits,
    now: context.now,
    isArgument: args && ((name) => args.has(name)),
  })
  const reads = method === 'GET' || method === 'HEAD'
  const profile = single(headers[reads ? 'accept-profile' : 'content-profile'])
  if (profile !== undefined && profile !== 'public') throw schemaRefused(profile)
  return {
    method,
    target,
    query,
    range: rowRange(
      query.limit,
      query.offset,
      reads ? single(headers.range) : undefined,
      single(headers['range-unit']),
    ),
    prefer: parsePrefer(headers.prefer),
    answer: parseAccept(headers.accept, target.kind === 'root'),
  }
}

const single = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)
