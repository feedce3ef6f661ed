import type pg from 'pg'
import type { Principal } from '../platform/auth/principal.ts'
import type { Sql } from '../platform/db/db.ts'
import { bindingsOf, type Job, planned } from './job.ts'
import { badBody, methodRefused, notSingular, tooManyAffected } from './errors.ts'
import type { WriteCall } from './hooks.ts'
import { type Body, parseBody, type Row } from './parse/body.ts'
import { planContext } from './plan/read-plan.ts'
import { checkPut, checkWrite, columnsOfRows, planWrite, type WriteKind, type WritePlan } from './plan/write-plan.ts'
import { targetStatement, writeStatement } from './query/write.ts'
import { type HttpAnswer, writeAnswer, type WriteResult } from './response.ts'
import type { Relation } from './schema/model.ts'
import { type Bindings, type Compiled, compiled } from './statements.ts'

interface CompiledWrite {
  plan: WritePlan
  statement: Compiled
  target: Compiled | undefined
}

const kinds: Record<string, WriteKind> = { POST: 'insert', PUT: 'upsert', PATCH: 'update', DELETE: 'delete' }

/** POST, PUT, PATCH and DELETE on a table: one transaction, hooks before and after, one statement that writes and answers. */
export async function runWrite(job: Job, name: string): Promise<HttpAnswer> {
  const { request, engine, call } = job
  const { prefer, query } = request
  const put = request.method === 'PUT'
  const kind = request.method === 'POST' && prefer.resolution ? 'upsert' : kinds[request.method]
  if (!kind) throw methodRefused(`${request.method} is not offered`)
  const relation = checkWrite(job, name, kind, prefer.return === 'representation')
  let body: Body = kind === 'delete' ? { rows: [], single: true } : parseBody(call.headers['content-type'], call.body)
  if (body.json === undefined) readJsonCells(relation, body.rows)
  const reshape = engine.hooks.shapeOf(name)
  if (reshape) body = { rows: body.rows.map(reshape), single: body.single }
  if (put) checkPut(relation, query, body.rows)
  if (body.rows.length > 1 && columnsOfRows(body.rows, query).length === 0)
    throw badBody('Rows must name at least one column')
  if (kind === 'update' && body.rows.length !== 1) throw badBody('An update takes one object')

  const before = engine.hooks.beforeOf(name)
  let work = compileWrite(job, relation, kind, body.rows)
  if (isEmpty(work.plan, body)) return writeAnswer(work.plan, nothing, request.answer, prefer, put)
  let sent = textToSend(kind, body)

  const run = async (client: pg.PoolClient, sql: Sql) => {
    await actAs(client, job.principal)
    let rows = body.rows
    for (const hook of before) {
      const changed = await hook(writeCall(job, sql, client, relation, work, rows))
      if (changed) rows = changed.rows
    }
    if (rows !== body.rows) {
      work = compileWrite(job, relation, kind, rows)
      sent = textToSend(kind, { rows, single: body.single })
    }
    const [result] = await engine.statements.on<WriteResult & { rows: Row[] | null }>(
      client,
      work.statement,
      bindingsOf(job, { body: sent }),
    )
    checkAffected(job, work.plan, result!)
    for (const hook of engine.hooks.afterOf(name)) {
      await hook({ ctx: engine.ctx, sql, principal: job.principal, kind, relation: name, rows: result!.rows ?? [] })
    }
    const answer = writeAnswer(work.plan, result!, request.answer, prefer, put)
    if (prefer.tx === 'rollback') throw new RolledBack(answer)
    return answer
  }
  try {
    return await engine.statements.transaction(run)
  } catch (error) {
    if (error instanceof RolledBack) return error.answer
    throw error
  }
}

/** Ends a transaction that was only meant to be tried, and carries its answer out. */
class RolledBack extends Error {
  constructor(readonly answer: HttpAnswer) {
    super('rolled back as asked')
  }
}

const nothing: WriteResult = { n: 0, body: '[]', inserted: null, location: null }

/** An empty list inserts nothing and an empty object changes nothing; both are no mistakes. */
function isEmpty(plan: WritePlan, body: Body): boolean {
  return plan.kind === 'update' ? plan.columns.length === 0 : plan.kind !== 'delete' && body.rows.length === 0
}

function compileWrite(job: Job, relation: Relation, kind: WriteKind, rows: Row[]): CompiledWrite {
  const { engine, access, request } = job
  const { query, prefer } = request
  const columns = kind === 'delete' ? [] : columnsOfRows(rows, query)
  const listeners = engine.hooks.afterOf(relation.name).length > 0
  const key = [kind, prefer.resolution, prefer.missing, rows.length === 0, ...columns.map(encodeURIComponent)].join(' ')
  return planned(job, key, relation.name, () => {
    const context = planContext(engine.schema, access, engine.limits, query)
    const plan = planWrite(context, { kind, relation, query, prefer, columns })
    const statement = writeStatement(plan, request.answer, listeners)
    const target = targetStatement(plan)
    return { plan, statement: compiled(statement), target: target && compiled(target) }
  })
}

/** What triggers write down (history, audit) names the person who acts. */
export async function actAs(client: pg.PoolClient, principal: Principal): Promise<void> {
  await client.query({
    name: 'data_api_act_as',
    text: `select set_config('quarterdeck.person_id', $1, true)`,
    values: [principal.id],
  })
}

function textToSend(kind: WriteKind, body: Body): string {
  const { rows, single, json } = body
  if (kind === 'update') return json !== undefined && single ? json : JSON.stringify(rows[0])
  if (json === undefined) return JSON.stringify(rows)
  return single ? `[${json}]` : json
}

/** In CSV and forms everything is text; what goes into a JSON column is meant as JSON. */
function readJsonCells(relation: Relation, rows: Row[]) {
  const names = [...relation.columns.values()]
    .filter((c) => c.family === 'json' || c.family === 'jsonb')
    .map((c) => c.name)
  for (const row of rows) {
    for (const name of names) {
      const cell = row[name]
      if (typeof cell !== 'string') continue
      try {
        row[name] = JSON.parse(cell)
      } catch {
        throw badBody(`The value of '${name}' is not valid JSON`)
      }
    }
  }
}

function checkAffected({ request }: Job, plan: WritePlan, { n }: WriteResult) {
  const { prefer, answer } = request
  if (prefer.handling === 'strict' && prefer.maxAffected !== undefined && n > prefer.maxAffected)
    throw tooManyAffected(n)
  if (plan.returned && answer.kind === 'object' && n !== 1) throw notSingular(n)
}

function writeCall(
  job: Job,
  sql: Sql,
  client: pg.PoolClient,
  relation: Relation,
  work: CompiledWrite,
  rows: Row[],
): WriteCall {
  const { engine, principal } = job
  const targets = async () => {
    if (!work.target) return []
    const bindings: Bindings = bindingsOf(job, { body: textToSend(work.plan.kind, { rows, single: false }) })
    return (await engine.statements.on<{ row: never }>(client, work.target, bindings)).map(({ row }) => row)
  }
  return { ctx: engine.ctx, sql, principal, kind: work.plan.kind, relation: relation.name, rows, targets }
}
