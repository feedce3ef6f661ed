import type { Sql } from '../../../platform/db/db.ts'
import type { Json } from './canonical.ts'
import {
  type ChangeRow,
  foldChanges,
  insertChanges,
  storedByFingerprint,
  type UndoRow,
  undosOf,
  writeFingerprints,
  writeUndos,
} from './changes.sql.ts'
import { applyMergePatch, mergePatch } from './merge-patch.ts'

/** A document that changed, and the change that is to be recorded of it; none when a rule left it out. */
export interface DocumentStep {
  configId: string
  before: Json
  undo: Json
  row: ChangeRow | undefined
  steps: number
  lastDiff: string | null
}

/**
 * Records changed documents together with the way back. A repeated diff is folded only into the newest one of its item,
 * so that the steps stay in the order of the changes; of a folded change two steps are kept, everything but its last
 * occurrence in one. Answers the new position of each item.
 */
export async function storeDiffs(
  sql: Sql,
  steps: readonly DocumentStep[],
  windowMs: number,
): Promise<Map<string, { steps: number; lastDiff: string | null }>> {
  const foldable = steps.filter(({ row, lastDiff }) => row?.fingerprint && lastDiff)
  const prints = await storedByFingerprint(
    sql,
    foldable.map(({ row }) => ({ config_id: row!.config_id, key: row!.fingerprint! })),
  )
  const seen = new Map(prints.map((print) => [`${print.change_id}\0${print.key}`, print.seen_at.getTime()]))
  const isFolded = ({ row, lastDiff }: DocumentStep): boolean => {
    const last = row?.fingerprint && lastDiff ? seen.get(`${lastDiff}\0${row.fingerprint}`) : undefined
    return last !== undefined && row!.created_at.getTime() - last <= windowMs
  }
  const folded = steps.filter(isFolded)
  const known = new Map<string, UndoRow[]>()
  for (const undo of await undosOf(
    sql,
    folded.map(({ lastDiff }) => lastDiff!),
  )) {
    const list = known.get(undo.change_id)
    if (list) list.push(undo)
    else known.set(undo.change_id, [undo])
  }

  const inserts: ChangeRow[] = []
  const folds: ChangeRow[] = []
  const undos: UndoRow[] = []
  const written: Parameters<typeof writeFingerprints>[1][number][] = []
  const positions = new Map<string, { steps: number; lastDiff: string | null }>()
  for (const step of steps) {
    const { configId, row, undo, before } = step
    const history = isFolded(step) ? (known.get(step.lastDiff!) ?? []) : []
    const newest = history.at(-1)
    if (row && newest && newest.step === step.steps) {
      const base = history.length > 1 ? history.at(-2)! : undefined
      if (base) {
        const first = applyMergePatch(applyMergePatch(before, newest.undo), base.undo)
        undos.push({ ...base, undo: mergePatch(before, first) }, { ...newest, undo })
      } else undos.push({ config_id: configId, step: newest.step + 1, change_id: step.lastDiff, undo })
      folds.push({ ...row, id: step.lastDiff! })
      positions.set(configId, { steps: newest.step + (base ? 0 : 1), lastDiff: step.lastDiff })
    } else {
      const at = step.steps + 1
      undos.push({ config_id: configId, step: at, change_id: row?.id ?? null, undo })
      if (row) inserts.push(row)
      positions.set(configId, { steps: at, lastDiff: row?.id ?? null })
    }
    if (row?.fingerprint)
      written.push({
        config_id: configId,
        fingerprint: row.fingerprint,
        change_id: positions.get(configId)!.lastDiff!,
        seen_at: row.created_at,
      })
  }
  await insertChanges(sql, inserts)
  await foldChanges(sql, folds)
  await writeUndos(sql, undos)
  await writeFingerprints(sql, written)
  return positions
}
