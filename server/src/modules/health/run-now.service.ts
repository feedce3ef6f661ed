import type { Context } from '../../context.ts'
import { badRequest, notFound } from '../../platform/errors.ts'
import { runnableOf } from './active.ts'
import { type CanaryRow, identityOf, type PlannedCheck, planCanary } from './canary.ts'
import { checkToRun, lastResultOf } from './health.sql.ts'
import { keepFiles } from './results/files.ts'
import { type StoredResult, storeResults } from './results/results.sql.ts'
import { storeFinished } from './results/store.ts'
import type { Finished } from './run/finish.ts'
import { runCheck } from './run/run-check.ts'
import { runtimeOf } from './runtime.ts'
import { keyOf, syncCanaries } from './sync.service.ts'
import { canariesById } from './sync.sql.ts'

export interface RunAnswer {
  name: string
  type: string
  start: string
  pass: boolean
  invalid: boolean
  duration: number
  description: string
  message: string
  error: string
  labels: Record<string, string>
  detail?: unknown
  environment?: unknown
}

/** Runs the checks that bear this check's name at once, stores what they gave, and answers the first. */
export async function runCheckNow(ctx: Context, checkId: string): Promise<RunAnswer> {
  const row = await checkToRun(ctx.db, checkId)
  if (!row) throw notFound(`check (${checkId})`)
  if (!row.is_local) throw badRequest('This check runs on an agent; it cannot be run from here.')
  const runtime = runtimeOf(ctx)
  const [synced] = await syncCanaries(ctx.db, await canariesById(ctx.db, [row.canary_id]), runtime.kinds)
  if (!synced) throw notFound(`canary (${row.canary_id})`)
  const named = synced.plan.checks.filter((check) => check.name === row.name)
  const runnable = named.filter(({ kind }) => kind && !kind.onDemand)
  if (runnable.length === 0) throw badRequest(whyNot(named[0]))
  const answers: RunAnswer[] = []
  const results: StoredResult[] = []
  for (const planned of runnable) {
    const stored = synced.rows.get(keyOf(planned))
    if (!stored) continue
    const start = ctx.clock.now().getTime()
    const finished = await runPlanned(ctx, synced.canary, planned, stored.id, { relate: true })
    await storeFinished(
      { add: (result) => void results.push(result) },
      { id: stored.id, severity: planned.severity },
      finished,
      { start, due: null, next: await nextRuntimeOf(ctx, stored.id) },
      { db: ctx.db, canaryId: synced.canary.id },
    )
    await keepFiles(ctx, stored.id, start, finished)
    if (finished[0]) answers.push(answer(planned, finished[0], start))
  }
  if (results.length > 0) await storeResults(ctx.db, results)
  const [first] = answers
  if (!first) throw notFound(`check (${checkId})`)
  return first
}

function whyNot(planned: PlannedCheck | undefined): string {
  if (!planned) return 'This check is no longer in the spec of its canary.'
  if (planned.kind?.onDemand) return 'A webhook check runs when it is called; there is nothing to run from here.'
  return `${planned.key} checks are kept but not run by this server.`
}

/** A run on demand does not move the schedule. */
async function nextRuntimeOf(ctx: Context, checkId: string): Promise<number | null> {
  const row = await ctx.db.maybeOne<{ next_runtime: Date | null }>('select next_runtime from checks where id = $1', [
    checkId,
  ])
  return row?.next_runtime?.getTime() ?? null
}

/** Runs every check of a canary that nobody saved, once, and shows what it gave with the environment of its expressions. */
export async function tryCanary(
  ctx: Context,
  canary: Omit<CanaryRow, 'id' | 'source'>,
): Promise<{ results: RunAnswer[]; problems: string[] }> {
  const row: CanaryRow = { ...canary, id: '00000000-0000-0000-0000-000000000000', source: null }
  const plan = planCanary(row, runtimeOf(ctx).kinds)
  if (plan.checks.length > 50) throw badRequest('At most 50 checks can be tried at once.')
  const results = await Promise.all(
    plan.checks.map(async (planned) => {
      const start = ctx.clock.now().getTime()
      const finished = await runPlanned(ctx, row, planned, row.id, { withEnvironment: true })
      return finished.map((each) => ({
        ...answer(planned, each, start),
        ...(each.row ? { name: each.row.name, labels: each.row.labels ?? {} } : {}),
        detail: each.detail,
        ...(each.environment !== undefined && { environment: each.environment }),
      }))
    }),
  )
  return { results: results.flat(), problems: plan.problems }
}

async function runPlanned(
  ctx: Context,
  canary: CanaryRow,
  planned: PlannedCheck,
  id: string,
  options: { relate?: boolean; withEnvironment?: boolean },
): Promise<Finished[]> {
  if (planned.problem) return [failed(planned.problem)]
  const runnable = runnableOf(planned, id)
  if (!runnable) return [failed(`${planned.key} checks are kept but not run by this server`)]
  return runCheck(runtimeOf(ctx), identityOf(canary), runnable, {
    lastResult: () => lastResultOf(ctx.db, id),
    ...options,
  })
}

const failed = (error: string): Finished => ({
  pass: false,
  invalid: true,
  duration: 0,
  message: null,
  error,
  detail: null,
  metrics: [],
  labels: null,
})

const answer = (planned: PlannedCheck, result: Finished, start: number): RunAnswer => ({
  name: planned.name,
  type: planned.type,
  start: new Date(start).toISOString(),
  pass: result.pass,
  invalid: result.invalid,
  duration: Math.round(result.duration),
  description: planned.description ?? '',
  message: result.message ?? '',
  error: result.error ?? '',
  labels: planned.labels,
})
