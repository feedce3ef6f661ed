import { hostname } from 'node:os'
import type { Context } from '../../context.ts'
import { notFound } from '../../platform/errors.ts'
import { sharedRead } from '../../platform/db/shared-read.ts'
import { graphWindow, parseStart } from './graph.ts'
import {
  checkExists,
  pointsFromRollUp,
  pointsFromRuns,
  punctualityOf,
  restOfCheck,
  runsOf,
  type SummaryFields,
  type SummaryFilter,
  summaryJson,
  totalsFromRollUp,
  totalsFromRuns,
} from './health.sql.ts'

export interface GraphQuery {
  check: string
  start?: string
  end?: string
}

const runnerName = hostname()

const wholeSummaries = new WeakMap<Context, Record<SummaryFields, () => Promise<string>>>()

/** The list of everything, which hundreds of consoles ask for at once when a check flips. */
function wholeSummary(ctx: Context, fields: SummaryFields): Promise<string> {
  let ask = wholeSummaries.get(ctx)
  if (!ask) {
    const shared = (which: SummaryFields) => sharedRead(() => summaryJson(ctx.db, { fields: which }))
    wholeSummaries.set(ctx, (ask = { all: shared('all'), list: shared('list') }))
  }
  return ask[fields]()
}

/** All checks with their last hour, as text that is already JSON. */
export async function healthSummary(ctx: Context, filter: SummaryFilter): Promise<string> {
  const started = performance.now()
  const isWhole = filter.checkId === undefined && filter.labels === undefined
  const list = isWhole ? await wholeSummary(ctx, filter.fields ?? 'all') : await summaryJson(ctx.db, filter)
  const duration = Math.round(performance.now() - started)
  return `{"duration":${duration},"runnerName":${JSON.stringify(runnerName)},"checks_summary":${list}}`
}

/** Points, uptime and percentiles of one check over a range. */
export async function checkGraph(ctx: Context, query: GraphQuery) {
  const started = performance.now()
  const now = ctx.clock.now()
  const from = parseStart(query.start || '1h', now, 'start')
  const to = query.end && query.end !== '0s' ? parseStart(query.end, now, 'end') : now
  if (!(await checkExists(ctx.db, query.check))) throw notFound(`check (${query.check})`)
  const { source, stepMs } = graphWindow(to.getTime() - from.getTime())
  const [points, totals, punctuality] = await Promise.all([
    source === 'runs'
      ? pointsFromRuns(ctx.db, query.check, from, to, stepMs)
      : pointsFromRollUp(ctx.db, source, query.check, from, to, stepMs),
    source === 'runs'
      ? totalsFromRuns(ctx.db, query.check, from, to)
      : totalsFromRollUp(ctx.db, source, query.check, from, to),
    punctualityOf(ctx.db, query.check),
  ])
  const { passed, failed, p95, p97, p99 } = totals
  return {
    duration: Math.round(performance.now() - started),
    runnerName,
    status: points,
    latency: { p95: p95 ?? 0, p97: p97 ?? 0, p99: p99 ?? 0, rolling1h: 0 },
    uptime: { passed, failed },
    step_seconds: stepMs / 1000,
    lag_p99: punctuality.lag_p99,
    missed: punctuality.missed,
    last_missed_at: punctuality.last_missed_at,
  }
}

type CheckRecord = Record<string, unknown> & { latency: Record<string, number | undefined> }

/** One check with its newest runs, as evidence shows it. */
export async function checkWithRuns(ctx: Context, query: GraphQuery & { includeMessages: boolean }) {
  const started = performance.now()
  const now = ctx.clock.now()
  const from = parseStart(query.start || '1h', now, 'start')
  const [check] = JSON.parse(await summaryJson(ctx.db, { checkId: query.check })) as CheckRecord[]
  if (!check) throw notFound(`check (${query.check})`)
  const [rest, totals, runs] = await Promise.all([
    restOfCheck(ctx.db, query.check),
    totalsFromRuns(ctx.db, query.check, from, now),
    runsOf(ctx.db, query.check, from, now, 500),
  ])
  const checkStatuses = runs.map(({ message, detail: _, ...run }) =>
    query.includeMessages ? { ...run, message } : run,
  )
  const latency = { ...check.latency, p97: totals.p97 ?? undefined }
  const record = { ...check, ...rest, latency, checkStatuses }
  return { duration: Math.round(performance.now() - started), runnerName, checks: [record] }
}

/** The run of one check at one moment, details included. */
export async function runDetails(ctx: Context, checkId: string, time: Date) {
  const end = new Date(time.getTime() + 999)
  const [run] = await runsOf(ctx.db, checkId, time, end, 1)
  if (!run) throw notFound('a result at that time')
  return run
}
