import type { Role } from '@quarterdeck/contract/permissions'
import type { Context } from '../context.ts'
import type { Principal } from '../platform/auth/principal.ts'
import type { Db } from '../platform/db/db.ts'
import { AppError } from '../platform/errors.ts'
import { runCall } from './calls.ts'
import { methodRefused } from './errors.ts'
import { WriteHooks } from './hooks.ts'
import type { Core, Job } from './job.ts'
import type { Limits } from './limits.ts'
import { Lru } from './lru.ts'
import { openApi } from './open-api.ts'
import { Access, type AccessRules, contractRules } from './plan/access.ts'
import { runRead } from './reads.ts'
import { type ApiRequest, type HttpCall, readRequest, type Target, targetOf } from './request.ts'
import { contentType, type HttpAnswer } from './response.ts'
import { loadSchema } from './schema-cache.ts'
import type { SchemaCache } from './schema/model.ts'
import { Statements } from './statements.ts'
import { runWrite } from './writes.ts'

export interface EngineOptions {
  ctx: Context
  db: Db
  limits: Limits
  rules?: AccessRules
}

/** The data API without HTTP around it: request → plan → query → response. */
export class Engine implements Core {
  readonly ctx: Context
  readonly limits: Limits
  readonly hooks = new WriteHooks()
  readonly statements: Statements
  readonly plans: Lru<unknown>
  private readonly db: Db
  private readonly rules: AccessRules
  private readonly accesses = new Map<string, Access>()
  private loading: Promise<void> = Promise.resolve()
  private first: Promise<void> | undefined
  private current: SchemaCache | undefined
  private loadedAt = 0

  constructor({ ctx, db, limits, rules = contractRules }: EngineOptions) {
    this.ctx = ctx
    this.db = db
    this.limits = limits
    this.rules = rules
    this.statements = new Statements(db, limits)
    this.plans = new Lru(limits.cachedPlans)
  }

  get schema(): SchemaCache {
    if (!this.current)
      throw new AppError(503, 'PGRST002', 'The schema has not been read yet', null, 'Try again in a moment.')
    return this.current
  }

  /** Reads the schema anew, as after a migration. One that is being read may be older than the change, so it is not shared. */
  reload(): Promise<void> {
    const read = async () => {
      this.current = await loadSchema(this.db)
      this.loadedAt = Date.now()
      this.plans.clear()
      this.accesses.clear()
    }
    this.loading = this.loading.then(read, read)
    return this.loading
  }

  /** Another process may have changed the schema under us; at most every ten seconds that is looked into. */
  private async reloadedFor(error: unknown): Promise<boolean> {
    const { code } = error as { code?: unknown }
    const stale = (code === '42P01' || code === '42703') && !(error instanceof AppError)
    if (!stale || Date.now() - this.loadedAt < 10_000) return false
    await this.reload()
    return true
  }

  accessOf(roles: readonly Role[]): Access {
    const key = roles.join(',')
    let access = this.accesses.get(key)
    if (!access) this.accesses.set(key, (access = new Access(this.schema, this.rules, roles)))
    return access
  }

  async handle(call: HttpCall, principal: Principal): Promise<HttpAnswer> {
    if (!this.current) await (this.first ??= this.reload().finally(() => (this.first = undefined)))
    try {
      return await this.answer(call, principal)
    } catch (error) {
      const repeatable = call.method === 'GET' || call.method === 'HEAD'
      if (repeatable && (await this.reloadedFor(error))) return this.answer(call, principal)
      throw error
    }
  }

  private async answer(call: HttpCall, principal: Principal): Promise<HttpAnswer> {
    const target = targetOf(call.path)
    const access = this.accessOf(principal.roles)
    if (call.method === 'OPTIONS')
      return { status: 200, headers: { allow: this.methodsOf(target, access).join(', ') }, body: '' }
    const request = readRequest(call, target, {
      limits: this.limits,
      now: () => this.ctx.clock.now(),
      argumentsOf: (name) => this.argumentsOf(name),
    })
    const job: Job = { engine: this, call, request, access, principal }
    switch (target.kind) {
      case 'root':
        return this.description(request, access)
      case 'routine':
        return runCall(job, target.name)
      case 'relation':
        return request.method === 'GET' || request.method === 'HEAD'
          ? runRead(job, target.name)
          : runWrite(job, target.name)
    }
  }

  private description(request: ApiRequest, access: Access): HttpAnswer {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw methodRefused('The root of the data API can only be read')
    const body = JSON.stringify(openApi(this.schema, access))
    return { status: 200, headers: { 'content-type': contentType({ kind: 'openapi', stripNulls: false }) }, body }
  }

  private argumentsOf(routine: string): ReadonlySet<string> {
    const forms = this.schema.routines.get(routine) ?? []
    return new Set(forms.flatMap((form) => form.args.map((arg) => arg.name)))
  }

  private methodsOf(target: Target, access: Access): string[] {
    if (target.kind === 'root') return ['OPTIONS', 'GET', 'HEAD']
    if (target.kind === 'routine') {
      const rule = access.functionRule(target.name)
      return rule?.action === 'read' ? ['OPTIONS', 'GET', 'HEAD', 'POST'] : ['OPTIONS', 'POST']
    }
    const { name } = access.served(target.name)
    const methods = ['OPTIONS']
    if (access.canRead(name)) methods.push('GET', 'HEAD')
    if (access.canWrite(name, 'insert')) methods.push('POST')
    if (access.canWrite(name, 'insert') && access.canWrite(name, 'update')) methods.push('PUT')
    if (access.canWrite(name, 'update')) methods.push('PATCH')
    if (access.canWrite(name, 'delete')) methods.push('DELETE')
    return methods
  }
}
