import { createHash } from 'node:crypto'
import { set } from './set-key.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/**
 * One form for equal documents: keys sorted, empty members of objects dropped. Hashes, diffs and stored documents all
 * use it, so the order in which a source lists its keys never looks like a change.
 */
export function canonical(value: unknown): Json {
  if (Array.isArray(value)) return value.map((item) => canonical(item))
  if (typeof value === 'object' && value !== null) {
    const result: { [key: string]: Json } = {}
    for (const key of Object.keys(value).sort()) {
      const inner = (value as Record<string, unknown>)[key]
      if (inner === null || inner === undefined) continue
      set(result, key, canonical(inner))
    }
    return result
  }
  if (typeof value === 'string') return storable(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean' || value === null) return value
  if (typeof value === 'bigint') return value.toString()
  return null
}

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const storable = (text: string): string =>
  text.includes('\0') || !text.isWellFormed() ? text.replaceAll('\0', '').toWellFormed() : text

/** The text that is shown, diffed and compared: two spaces, sorted. */
export const normalText = (value: Json): string => JSON.stringify(value, null, 2)

export const contentHash = (value: Json): Buffer => createHash('sha256').update(JSON.stringify(value)).digest()
