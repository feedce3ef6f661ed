import type { Db } from '../../platform/db/db.ts'
import { type CanaryPlan, type CanaryRow, type PlannedCheck, planCanary } from './canary.ts'
import type { CheckKind } from './kind.ts'
import { isRefusal } from './results/storable.ts'
import { type CheckRow, checksOfCanaries, softDeleteChecks, upsertChecks } from './sync.sql.ts'

export interface SyncedCanary {
  canary: CanaryRow
  plan: CanaryPlan
  /** Rows by type and name, live ones only. */
  rows: Map<string, CheckRow>
}

export const keyOf = (check: { type: string; name: string }): string => `${check.type}/${check.name}`

/** Makes the check rows of these canaries agree with their specs. Unchanged canaries cost one read together. */
export async function syncCanaries(
  db: Db,
  canaries: readonly CanaryRow[],
  kinds: ReadonlyMap<string, CheckKind>,
): Promise<SyncedCanary[]> {
  if (canaries.length === 0) return []
  const stored = groupByCanary(
    await checksOfCanaries(
      db,
      canaries.map(({ id }) => id),
    ),
  )
  const synced: SyncedCanary[] = []
  const changed: SyncedCanary[] = []
  for (const canary of canaries) {
    const plan = planCanary(canary, kinds)
    const rows = new Map((stored.get(canary.id) ?? []).map((row) => [keyOf(row), row]))
    const one = { canary, plan, rows }
    synced.push(one)
    if (isChanged(one)) changed.push(one)
  }
  for (const one of changed) {
    // One canary the database does not take must not keep the others from running.
    await writeRows(db, one).catch((error: unknown) => {
      if (!isRefusal(error)) throw error
      one.plan.problems.push(`its checks could not be stored: ${(error as Error).message}`)
    })
  }
  if (changed.length > 0) {
    const fresh = groupByCanary(
      await checksOfCanaries(
        db,
        changed.map(({ canary }) => canary.id),
      ),
    )
    for (const one of changed) one.rows = new Map((fresh.get(one.canary.id) ?? []).map((row) => [keyOf(row), row]))
  }
  for (const one of synced) for (const [key, row] of one.rows) if (row.deleted_at) one.rows.delete(key)
  return synced
}

function groupByCanary(rows: readonly CheckRow[]): Map<string, CheckRow[]> {
  const groups = new Map<string, CheckRow[]>()
  for (const row of rows) {
    const group = groups.get(row.canary_id)
    if (group) group.push(row)
    else groups.set(row.canary_id, [row])
  }
  return groups
}

/** Rows nothing in the spec accounts for: checks that are gone from it, and those made by a transform that is gone. */
function leftOver({ plan, rows }: SyncedCanary): CheckRow[] {
  const planned = new Map(plan.checks.map((check) => [keyOf(check), check]))
  const makers = new Set<string>()
  for (const row of rows.values()) if (planned.get(keyOf(row))?.raw.transform && !row.transformed) makers.add(row.id)
  return [...rows.values()].filter((row) => {
    if (row.deleted_at) return false
    if (!row.transformed) return !planned.has(keyOf(row))
    return row.made_by !== null && !makers.has(row.made_by)
  })
}

function isChanged(one: SyncedCanary): boolean {
  const { plan, rows } = one
  if (leftOver(one).length > 0) return true
  return plan.checks.some((check) => {
    const row = rows.get(keyOf(check))
    if (!row || row.deleted_at || row.transformed) return true
    const same =
      row.namespace === check.namespace &&
      row.description === check.description &&
      row.icon === check.icon &&
      row.owner === check.owner &&
      row.severity === check.severity &&
      sameJson(row.spec, check.raw) &&
      sameLabels(check, row)
    return !same
  })
}

/** Results of some checks add labels to their row; those stay. */
function sameLabels({ labels, raw, type }: PlannedCheck, row: CheckRow): boolean {
  const entries = Object.entries(labels)
  const mayHaveMore = type === 'prometheus' || raw.transform !== undefined
  return (
    entries.every(([name, value]) => row.labels?.[name] === value) &&
    (mayHaveMore || entries.length === Object.keys(row.labels ?? {}).length)
  )
}

async function writeRows(db: Db, one: SyncedCanary): Promise<void> {
  const { canary, plan } = one
  const gone = leftOver(one)
  await db.tx(async (sql) => {
    await upsertChecks(sql, canary.id, plan.checks)
    if (gone.length > 0)
      await softDeleteChecks(
        sql,
        gone.map(({ id }) => id),
      )
  })
}

/** jsonb gives keys back in its own order. */
function sameJson(one: unknown, two: unknown): boolean {
  return canonical(one) === canonical(two)
}
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? 'null'
