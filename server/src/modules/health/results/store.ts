import type { Db } from '../../../platform/db/db.ts'
import type { Finished } from '../run/finish.ts'
import { softDeleteChecks, upsertTransformed, vanishedTransformed } from '../sync.sql.ts'
import type { StoredResult } from './results.sql.ts'
import type { ResultWriter } from './writer.ts'

export interface Moment {
  start: number
  /** When it should have started; null for runs on demand. */
  due: number | null
  next: number | null
}

/** Hands the results of one run to the writer; a transform's rows are made first. */
export async function storeFinished(
  writer: Pick<ResultWriter, 'add'>,
  check: { id: string; severity: string | null },
  results: readonly Finished[],
  moment: Moment,
  rows?: { db: Db; canaryId: string },
): Promise<void> {
  const [own, ...made] = results
  if (own) writer.add(stored(check.id, check.severity, own, moment))
  if (!own?.fannedOut || !rows) return
  const live = made.filter((each) => each.row && !each.row.deleted)
  const ids = await upsertTransformed(
    rows.db,
    rows.canaryId,
    live.map((each) => each.row!),
  )
  const kept: string[] = []
  for (const each of live) {
    const id = ids.get(`${each.row!.type}/${each.row!.name}`)
    // A name the canary's own spec uses stays the spec's check.
    if (!id) continue
    kept.push(id)
    writer.add(stored(id, check.severity, each, { ...moment, start: each.start ?? moment.start }))
  }
  await removeVanished(writer, rows, kept, moment)
}

/** Checks of an earlier transform that did not come again: one last result as their strategy says, then gone. */
async function removeVanished(
  writer: Pick<ResultWriter, 'add'>,
  { db, canaryId }: { db: Db; canaryId: string },
  kept: readonly string[],
  moment: Moment,
): Promise<void> {
  const vanished = await vanishedTransformed(db, canaryId, kept)
  for (const { id, delete_strategy: strategy } of vanished) {
    if (strategy !== 'MarkHealthy' && strategy !== 'MarkUnhealthy') continue
    const last: Finished = {
      pass: strategy === 'MarkHealthy',
      invalid: false,
      duration: 0,
      message: 'no longer reported',
      error: null,
      detail: null,
      metrics: [],
      labels: null,
    }
    writer.add(stored(id, null, last, { ...moment, next: null }))
  }
  if (vanished.length > 0)
    await softDeleteChecks(
      db,
      vanished.map(({ id }) => id),
    )
}

const stored = (checkId: string, severity: string | null, result: Finished, moment: Moment): StoredResult => ({
  checkId,
  time: moment.start,
  pass: result.pass,
  invalid: result.invalid,
  duration: result.duration,
  message: result.message,
  error: result.error,
  details:
    result.detail === null || result.detail === undefined
      ? null
      : JSON.stringify(result.detail).replaceAll('\\u0000', ''),
  severity,
  lag: moment.due === null ? null : Math.max(0, Math.round(moment.start - moment.due)),
  nextRuntime: moment.next,
  labels: result.labels,
})
