import type { Db } from '../../platform/db/db.ts'
import { type CanaryPlan, type CanaryRow, planCanary } from './canary.ts'
import type { CheckKind } from './kind.ts'
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
  for (const one of changed) await writeRows(db, one)
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

function isChanged({ plan, rows }: SyncedCanary): boolean {
  const planned = new Set(plan.checks.map(keyOf))
  for (const row of rows.values()) if (!row.transformed && !row.deleted_at && !planned.has(keyOf(row))) return true
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
      // A result may have added labels; those stay.
      Object.entries(check.labels).every(([name, value]) => row.labels?.[name] === value)
    return !same
  })
}

async function writeRows(db: Db, { canary, plan, rows }: SyncedCanary): Promise<void> {
  const planned = new Set(plan.checks.map(keyOf))
  const gone = [...rows.values()].filter((row) => !row.transformed && !row.deleted_at && !planned.has(keyOf(row)))
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
