import type { Sql } from '../../../platform/db/db.ts'
import { newId } from '../../../platform/ids.ts'
import { canonical, type Json } from './canonical.ts'
import {
  type ChangeRow,
  foldChanges,
  insertChanges,
  replaceChanges,
  storedByFingerprint,
  storedBySourceId,
  writeAliases,
  writeFingerprints,
} from './changes.sql.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { ChangeDraft } from './judge-change.ts'

export interface Authors {
  /** Column values for who made a change. */
  of(name: string | undefined): { created_by: string | null; external_created_by: string | null }
}

const maxDetails = 512 * 1024
const maxWords = 4000

/** A change as a row, with whatever PostgreSQL could not keep left out. */
export function changeRow(configId: string, change: ChangeDraft, authors: Authors, now: Date): ChangeRow {
  const patches = bounded(change.patches)
  const details = bounded(change.details)
  const at = change.createdAt && change.createdAt <= now ? change.createdAt : now
  return {
    id: newId(at.getTime()),
    config_id: configId,
    external_change_id: words(change.externalChangeId, 1000),
    ...authors.of(change.createdBy),
    change_type: words(change.changeType, 250) ?? 'unknown',
    severity: words(change.severity, 50),
    source: words(change.source, 500),
    summary: words(change.summary, maxWords),
    patches,
    diff: words(change.diff, 2_000_000),
    details,
    created_at: at,
    first_observed: at,
    count: 1,
    fingerprint: fingerprintOf({ patches, details }) ?? null,
  }
}

function words(text: string | undefined, length: number): string | null {
  if (!text) return null
  const clean = text.replaceAll('\0', '').toWellFormed()
  return clean.length > length ? `${clean.slice(0, length - 1)}…`.toWellFormed() : clean
}

function bounded(value: unknown): Json {
  if (value === undefined || value === null) return null
  const clean = patchLike(value)
  const text = JSON.stringify(clean)
  return text.length <= maxDetails
    ? clean
    : { truncated: true, bytes: text.length, start: text.slice(0, 4000).toWellFormed() }
}

/** Like the canonical form, but a null in a patch means "removed" and stays. */
function patchLike(value: unknown): Json {
  if (Array.isArray(value)) return value.map((one) => canonical(one))
  if (typeof value !== 'object' || value === null) return canonical(value)
  const made: { [key: string]: Json } = {}
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') continue
    made[key.replaceAll('\0', '').toWellFormed()] = inner === null ? null : patchLike(inner)
  }
  return made
}

/**
 * Stores changes that came from a source. The same id in the source is the same change; the same fingerprint within
 * `windowMs` of each other is a repetition, which only counts.
 */
export async function storeChanges(
  sql: Sql,
  given: readonly { row: ChangeRow; updateExisting: boolean }[],
  windowMs: number,
): Promise<{ stored: number }> {
  const bySource = new Map<string, string>()
  const withSource = given.filter(({ row }) => row.external_change_id !== null)
  for (const found of await storedBySourceId(
    sql,
    withSource.map(({ row }) => ({ config_id: row.config_id, key: row.external_change_id! })),
  ))
    bySource.set(`${found.config_id}\0${found.key}`, found.change_id)

  const replaced = new Map<string, ChangeRow>()
  const fresh: ChangeRow[] = []
  const inBatch = new Set<string>()
  for (const { row, updateExisting } of given) {
    const key = row.external_change_id === null ? undefined : `${row.config_id}\0${row.external_change_id}`
    const known = key === undefined ? undefined : bySource.get(key)
    if (known) {
      if (updateExisting) replaced.set(known, { ...row, id: known })
    } else if (key === undefined || !inBatch.has(key)) {
      if (key !== undefined) inBatch.add(key)
      fresh.push(row)
    }
  }
  const changed = await replaceChanges(sql, [...replaced.values()])
  return { stored: (await storeFresh(sql, fresh, windowMs)) + changed }
}

async function storeFresh(sql: Sql, rows: ChangeRow[], windowMs: number): Promise<number> {
  rows.sort((a, b) => a.created_at.getTime() - b.created_at.getTime())
  const known = new Map<string, { change_id: string; seen: number }>()
  const wanted = rows.filter((row) => row.fingerprint !== null)
  for (const found of await storedByFingerprint(
    sql,
    wanted.map((row) => ({ config_id: row.config_id, key: row.fingerprint! })),
  ))
    known.set(`${found.config_id}\0${found.key}`, { change_id: found.change_id, seen: found.seen_at.getTime() })

  const inserted = new Map<string, ChangeRow>()
  const folded = new Map<string, ChangeRow>()
  const aliases: { config_id: string; external_change_id: string; change_id: string }[] = []
  const prints: { config_id: string; fingerprint: string; change_id: string; seen_at: Date }[] = []
  for (const row of rows) {
    const key = row.fingerprint === null ? undefined : `${row.config_id}\0${row.fingerprint}`
    const at = row.created_at.getTime()
    const before = key === undefined ? undefined : known.get(key)
    if (before && Math.abs(at - before.seen) <= windowMs) {
      const own = inserted.get(before.change_id)
      if (own) {
        const { id, external_change_id, first_observed, count } = own
        Object.assign(own, row, { id, external_change_id, first_observed, count: count + 1 })
      } else {
        const count = (folded.get(before.change_id)?.count ?? 0) + 1
        folded.set(before.change_id, { ...row, id: before.change_id, count })
      }
      if (row.external_change_id !== null)
        aliases.push({
          config_id: row.config_id,
          external_change_id: row.external_change_id,
          change_id: before.change_id,
        })
      before.seen = Math.max(before.seen, at)
    } else {
      inserted.set(row.id, row)
      if (key !== undefined) known.set(key, { change_id: row.id, seen: at })
    }
    if (row.fingerprint !== null)
      prints.push({
        config_id: row.config_id,
        fingerprint: row.fingerprint,
        change_id: known.get(key!)!.change_id,
        seen_at: row.created_at,
      })
  }
  const stored = await insertChanges(sql, [...inserted.values()])
  await foldChanges(sql, [...folded.values()])
  // A change that lost against another writer leaves no trace.
  const isThere = ({ change_id }: { change_id: string }) => !inserted.has(change_id) || stored.has(change_id)
  await writeAliases(sql, aliases.filter(isThere))
  await writeFingerprints(sql, prints.filter(isThere))
  return stored.size + folded.size
}
