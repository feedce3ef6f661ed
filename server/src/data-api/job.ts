import type { Context } from '../context.ts'
import type { Principal } from '../platform/auth/principal.ts'
import type { WriteHooks } from './hooks.ts'
import type { Limits } from './limits.ts'
import type { Lru } from './lru.ts'
import type { Access } from './plan/access.ts'
import type { Param } from './plan/model.ts'
import type { ApiRequest, HttpCall } from './request.ts'
import type { SchemaCache } from './schema/model.ts'
import type { Bindings, Statements } from './statements.ts'

/** What the engine lends to the requests it runs. */
export interface Core {
  readonly ctx: Context
  readonly limits: Limits
  readonly hooks: WriteHooks
  readonly statements: Statements
  /** Compiled requests by shape, so that a repeated request is neither planned nor written anew. */
  readonly plans: Lru<unknown>
  readonly schema: SchemaCache
}

/** Everything one request works with. */
export interface Job {
  engine: Core
  call: HttpCall
  request: ApiRequest
  access: Access
  principal: Principal
}

/** Page sizes that stand in the statement's text: the planner then knows that few rows are wanted. */
const usualLimits = new Set([0, 1, 2, 5, 10, 20, 25, 30, 50, 100, 150, 200, 250, 500, 1000, 2000])

const limitOf = ({ engine, request }: Job) =>
  Math.min(request.range.limit ?? engine.limits.maxRows, engine.limits.maxRows)

/** The bounds of the answer as the statement holds them. A page from the start has no offset at all. */
export function pageOf(job: Job): { limit: Param; offset?: Param } {
  const limit = limitOf(job)
  return {
    limit: usualLimits.has(limit) ? { constant: limit } : { from: 'limit' },
    offset: job.request.range.offset > 0 ? { from: 'offset' } : undefined,
  }
}

/** The plan of a shape: made once, then taken from the cache. */
export function planned<P>(job: Job, kind: string, name: string, make: () => P): P {
  const { query, answer, prefer, range } = job.request
  const limit = limitOf(job)
  const page = `${usualLimits.has(limit) ? limit : ''}${range.offset > 0 ? '+' : ''}`
  const key = [
    kind,
    page,
    name,
    job.access.key,
    answer.kind,
    answer.stripNulls,
    prefer.count,
    prefer.return,
    query.shape,
  ].join('\n')
  const known = job.engine.plans.get(key)
  if (known !== undefined) return known as P
  const made = make()
  job.engine.plans.set(key, made)
  return made
}

export function bindingsOf(job: Job, more: Partial<Bindings> = {}): Bindings {
  const { query, range } = job.request
  return {
    slots: query.values,
    limit: limitOf(job),
    offset: range.offset,
    person: job.principal.id,
    ...more,
  }
}
