import type { Sql } from '../../../platform/db/db.ts'
import { chunks } from './references.ts'

export interface Child {
  id: string
  /** Row ids of candidates, most precise first; at least one. */
  candidates: string[]
}

export interface Placed {
  id: string
  /** None: every candidate would have made a loop. */
  parent_id: string | null
  path: string | null
}

const deepest = 100

/**
 * Chooses parents: the first candidate that makes no loop. `storedParents` are those of items outside of this scrape.
 * Items that only had loops to choose from are told to `cut`.
 */
export function placeItems(
  children: readonly Child[],
  storedParents: ReadonlyMap<string, string | null>,
  cut: (id: string) => void,
): Placed[] {
  const chosen = new Map<string, string>()
  // What an item of this scrape had before says nothing: it is about to get its parent anew.
  const own = new Set(children.map(({ id }) => id))
  const parentOf = (id: string): string | undefined =>
    chosen.get(id) ?? (own.has(id) ? undefined : (storedParents.get(id) ?? undefined))
  const wouldLoop = (child: string, parent: string): boolean => {
    let at: string | undefined = parent
    for (let depth = 0; at !== undefined; depth++) {
      if (at === child || depth > deepest) return true
      at = parentOf(at)
    }
    return false
  }
  for (const child of children) {
    const parent = child.candidates.find((candidate) => !wouldLoop(child.id, candidate))
    if (parent) chosen.set(child.id, parent)
    else cut(child.id)
  }
  const paths = new Map<string, string>()
  const pathOf = (id: string, depth = 0): string => {
    const known = paths.get(id)
    if (known !== undefined) return known
    const parent = depth > deepest ? undefined : parentOf(id)
    const path = parent ? join(pathOf(parent, depth + 1), parent) : ''
    paths.set(id, path)
    return path
  }
  return children.map(({ id }) => ({ id, parent_id: chosen.get(id) ?? null, path: pathOf(id) || null }))
}

const join = (path: string, id: string): string => (path ? `${path}.${id}` : id)

/** Stored parents of these items and of everything above them. */
export async function storedAncestors(sql: Sql, ids: readonly string[]): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>()
  let level = [...new Set(ids)]
  for (let depth = 0; level.length > 0 && depth < deepest; depth++) {
    const next = new Set<string>()
    for (const part of chunks(level)) {
      const rows = await sql.query<{ id: string; parent_id: string | null }>(
        'select id, parent_id from config_items where id = any($1::uuid[])',
        [part],
      )
      for (const row of rows) {
        found.set(row.id, row.parent_id)
        if (row.parent_id && !found.has(row.parent_id)) next.add(row.parent_id)
      }
    }
    level = [...next]
  }
  return found
}
