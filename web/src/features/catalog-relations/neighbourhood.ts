import type { RelatedConfig, Side, Standing } from './related-config.ts'

/** The items around one item and how they hang together. */
export interface Neighbourhood {
  rootId: string
  items: ReadonlyMap<string, RelatedConfig>
  targets: ReadonlyMap<string, readonly string[]>
  sources: ReadonlyMap<string, readonly string[]>
  standing: ReadonlyMap<string, Standing>
}

export const edgeKey = (source: string, target: string) => `${source} ${target}`

/**
 * Puts the rows around the item they belong to. Edges lead only to items that are there; items that a filter cut off
 * hang loosely at the item in the middle, so that nothing found is lost.
 */
export function neighbourhood(
  root: RelatedConfig,
  rows: readonly RelatedConfig[],
  {
    keepsEdge = () => true,
    looseSide = 'outgoing',
  }: { keepsEdge?: (source: string, target: string) => boolean; looseSide?: Side } = {},
): Neighbourhood {
  const items = new Map(rows.map((row) => [row.id, row]))
  items.set(root.id, items.get(root.id) ?? root)
  const targets = new Map<string, string[]>()
  const sources = new Map<string, string[]>()
  for (const row of items.values()) {
    for (const target of new Set(row.related_ids)) {
      if (target === row.id || !items.has(target) || !keepsEdge(row.id, target)) continue
      add(targets, row.id, target)
      add(sources, target, row.id)
    }
  }
  const outgoing = distances(root.id, targets)
  const incoming = distances(root.id, sources)
  const standing = new Map<string, Standing>()
  for (const id of items.keys()) {
    const [down, up] = [outgoing.get(id) ?? Infinity, incoming.get(id) ?? Infinity]
    if (id === root.id) standing.set(id, { side: 'self', distance: 0 })
    else if (down === Infinity && up === Infinity) standing.set(id, { side: looseSide, distance: 1, isLoose: true })
    else standing.set(id, { side: down <= up ? 'outgoing' : 'incoming', distance: Math.min(down, up) })
  }
  return { rootId: root.id, items, targets, sources, standing }
}

function add(lists: Map<string, string[]>, key: string, value: string) {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

function distances(start: string, next: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const found = new Map([[start, 0]])
  for (const [id, distance] of found)
    for (const neighbour of next.get(id) ?? []) if (!found.has(neighbour)) found.set(neighbour, distance + 1)
  return found
}

/** Only items that can still be reached over the edges that were kept. */
export function withoutLoose(around: Neighbourhood): Neighbourhood {
  const items = new Map([...around.items].filter(([id]) => !around.standing.get(id)?.isLoose))
  return { ...around, items }
}
