import type { Db } from '../../../platform/db/db.ts'
import type { Finished } from '../run/finish.ts'
import { softDeleteChecks, upsertTransformed, vanishedTransformed } from '../sync.sql.ts'
import type { StoredResult } from './results.sql.ts'
import { storableJson } from './storable.ts'
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
  const [own] = results
  if (own) writer.add(stored(check.id, check.severity, own, moment))
  if (own?.fannedOut && rows) await storeMade(writer, check, results, moment, rows)
}

/** The checks a transform made, with their results; those of earlier runs that did not come again go. */
export async function storeMade(
  writer: Pick<ResultWriter, 'add'>,
  check: { id: string; severity: string | null },
  results: readonly Finished[],
  moment: Moment,
  { db, canaryId }: { db: Db; canaryId: string },
): Promise<void> {
  const parent = { canaryId, checkId: check.id }
  // The last entry of a name is the one that counts.
  const live = new Map<string, Finished>()
  for (const each of results) if (each.row && !each.row.deleted) live.set(keyOf(each.row), each)
  const ids = await upsertTransformed(
    db,
    parent,
    [...live.values()].map((each) => each.row!),
  )
  const vanished = await vanishedTransformed(db, parent, [...ids.values()])
  if (vanished.length > 0)
    await softDeleteChecks(
      db,
      vanished.map(({ id }) => id),
    )
  // Nothing fails from here on: whoever tries again after a failure above hands nothing over twice.
  for (const [key, each] of live) {
    const id = ids.get(key)
    // A name the canary's own spec uses stays the spec's check.
    if (id) writer.add(stored(id, check.severity, each, { ...moment, start: each.start ?? moment.start }))
  }
  for (const { id, delete_strategy: strategy } of vanished) addLast(writer, id, strategy, moment)
}

const keyOf = ({ type, name }: { type?: string; name: string }): string => `${type}/${name}`

/** One last result of a check that was not made again, when its strategy asks for one. */
function addLast(writer: Pick<ResultWriter, 'add'>, id: string, strategy: string | null, moment: Moment): void {
  if (strategy !== 'MarkHealthy' && strategy !== 'MarkUnhealthy') return
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

const stored = (checkId: string, severity: string | null, result: Finished, moment: Moment): StoredResult => ({
  checkId,
  time: moment.start,
  pass: result.pass,
  invalid: result.invalid,
  duration: result.duration,
  message: result.message,
  error: result.error,
  details: storableJson(result.detail),
  severity,
  lag: moment.due === null ? null : Math.max(0, Math.round(moment.start - moment.due)),
  nextRuntime: moment.next,
  labels: result.labels,
})
