import type { ResourceKind, ResourceSelector } from '@quarterdeck/contract/selectors'
import { parseDuration } from '@quarterdeck/contract/schedule'
import type { Context } from '../../context.ts'
import type { Sql } from '../db/db.ts'
import { kindColumns } from './kinds.ts'
import { SelectorError } from './requirements.ts'
import { type LegacyConfigKeys, readSelector, type Selector } from './selector.ts'
import { selectorWhere } from './selector.sql.ts'

/** Ids of all rows any of the selectors means, in order. */
export async function idsOf(sql: Sql, kind: ResourceKind, selectors: readonly Selector[]): Promise<string[]> {
  const { text, values } = selectorWhere(kind, selectors)
  if (text === 'false') return []
  const rows = await sql.query<{ id: string }>(
    `select id from ${kindColumns[kind].table} where ${text} order by id`,
    values,
  )
  return rows.map(({ id }) => id)
}

const usualMs = 90_000
const emptyMs = 60_000
/** One row by its id does not change; deletions are noticed within the hour. */
const byIdMs = 3_600_000
const mostKept = 5_000

type Kept = Map<string, { at: number; maxAge: number; ids: Promise<string[]> }>
const caches = new WeakMap<object, Kept>()

/** What a selector's `cache` asks for; undefined when it says nothing. */
export function readCacheControl(text: string): { read: boolean; store: boolean; maxAgeMs?: number } {
  switch (text) {
    case '':
      return { read: true, store: true }
    case 'no-cache':
      return { read: false, store: true }
    case 'no-store':
      return { read: false, store: false }
    default: {
      const duration = /^max-age=(.+)$/.exec(text)?.[1]
      const ms =
        duration === undefined
          ? undefined
          : (parseDuration(duration) ?? (/^\d+$/.test(duration) ? Number(duration) * 1000 : undefined))
      if (ms === undefined)
        throw new SelectorError(`"${text}" is no cache setting; no-cache, no-store and max-age=5m are`)
      return { read: true, store: true, maxAgeMs: ms }
    }
  }
}

/** Ids a selector means, kept for a while as its `cache` says: engines ask the same again and again. */
export async function findIds(
  ctx: Context,
  kind: ResourceKind,
  given: ResourceSelector & LegacyConfigKeys,
): Promise<string[]> {
  const selector = readSelector(given)
  if (selector.isEmpty) return []
  const control = readCacheControl(selector.cache)
  const kept: Kept = caches.get(ctx.db) ?? new Map()
  caches.set(ctx.db, kept)
  const now = ctx.clock.now().getTime()
  const key = `${kind} ${JSON.stringify({ ...selector, cache: '' })}`
  const known = kept.get(key)
  if (control.read && known && now - known.at < (control.maxAgeMs ?? known.maxAge)) return known.ids
  const ids = idsOf(ctx.db, kind, [selector])
  if (!control.store) return ids
  if (kept.size >= mostKept) kept.clear()
  const entry = { at: now, maxAge: selector.id !== '' ? byIdMs : usualMs, ids }
  kept.set(key, entry)
  ids.then(
    (found) => {
      if (found.length === 0) entry.maxAge = emptyMs
    },
    () => kept.delete(key),
  )
  return ids
}

export const forgetSelections = (ctx: Context): void => void caches.delete(ctx.db)
