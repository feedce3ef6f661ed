import { bindingsOf, type Job, pageOf, planned } from './job.ts'
import { notSingular } from './errors.ts'
import type { Select } from './plan/model.ts'
import { planContext, planSelect } from './plan/read-plan.ts'
import { plannedStatement, readStatement } from './query.ts'
import { type HttpAnswer, readAnswer } from './response.ts'
import { type Bindings, type Compiled, compiled } from './statements.ts'

export interface ReadPlan {
  page: Compiled
  /** Asks the planner how many rows there are. */
  guess?: Compiled
}

export async function runRead(job: Job, name: string): Promise<HttpAnswer> {
  const { engine, access, request } = job
  const plan = planned(job, request.method, name, () => {
    const relation = access.readableRelation(name)
    const select = planSelect(planContext(engine.schema, access, engine.limits, request.query), {
      source: { kind: 'relation', name, rowKey: access.ruleOf(name)?.rowKey },
      rows: { name, columns: relation.columns, relation: name },
      ...pageOf(job),
    })
    return compileRead(job, select, false)
  })
  return answerRead(job, plan, bindingsOf(job), false)
}

export function compileRead(job: Job, select: Select, oneRow: boolean): ReadPlan {
  const { request, engine } = job
  const { count } = request.prefer
  const { maxRows } = engine.limits
  return {
    page: compiled(
      readStatement(select, { answer: request.answer, head: request.method === 'HEAD', count, maxRows, oneRow }),
    ),
    guess: count === 'planned' || count === 'estimated' ? compiled(plannedStatement(select)) : undefined,
  }
}

export interface PageRow {
  n: number
  body: string
  total: number | null
}

export async function answerRead(
  job: Job,
  plan: ReadPlan,
  bindings: Bindings,
  oneRow: boolean,
  done?: PageRow,
): Promise<HttpAnswer> {
  const { request } = job
  const row = done ?? (await job.engine.statements.read<PageRow>(plan.page, bindings))[0]!
  if (request.answer.kind === 'object' && row.n !== 1 && !oneRow) throw notSingular(row.n)
  const { total, guessed } = await totalOf(job, plan, bindings, row)
  return readAnswer({ rows: row.n, total, guessed, body: row.body }, request.range, request.answer, request.prefer)
}

/** An estimate counts up to the row cap and asks the planner only beyond it. */
async function totalOf(job: Job, plan: ReadPlan, bindings: Bindings, row: PageRow) {
  const { count } = job.request.prefer
  const exact = row.total ?? undefined
  const needsGuess = count === 'planned' || (count === 'estimated' && (exact ?? 0) > job.engine.limits.maxRows)
  if (!needsGuess || !plan.guess) return { total: exact, guessed: false }
  const [explained] = await job.engine.statements.read<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(
    plan.guess,
    bindings,
  )
  const guess = explained!['QUERY PLAN'][0].Plan['Plan Rows']
  return { total: Math.max(guess, exact ?? 0), guessed: true }
}
