import type { Context } from '../context.ts'
import type { Principal } from '../platform/auth/principal.ts'
import type { WriteHooks } from './hooks.ts'
import type { Limits } from './limits.ts'
import type { Lru } from './lru.ts'
import type { Access } from './plan/access.ts'
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

/** The plan of a shape: made once, then taken from the cache. */
export function planned<P>(job: Job, kind: string, name: string, make: () => P): P {
  const { query, answer, prefer } = job.request
  const key = [
    kind,
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
  const { maxRows } = job.engine.limits
  return {
    slots: query.values,
    limit: Math.min(range.limit ?? maxRows, maxRows),
    offset: range.offset,
    person: job.principal.id,
    ...more,
  }
}
