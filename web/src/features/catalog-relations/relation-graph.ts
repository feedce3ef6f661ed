import { naturalOrder } from '@/lib/natural-order.ts'
import type { GraphEdge, GraphNode } from '@/ui/graph/model.ts'
import { edgeKey, type Neighbourhood } from './neighbourhood.ts'
import type { RelatedConfig, Side } from './related-config.ts'

interface Toggle {
  isOpen: boolean
  /** Items it shows or hides. */
  count: number
}

/** One item. */
export interface ItemNode extends GraphNode {
  kind: 'item'
  item: RelatedConfig
  /** Absent when there is nothing below it, and on the item in the middle, which is always open. */
  toggle?: Toggle
}

/** Several items of one type beside the same item. */
export interface TypeNode extends GraphNode {
  kind: 'group'
  type: string
  members: readonly RelatedConfig[]
  toggle: Toggle
}

export type RelationNode = ItemNode | TypeNode

/** From this many on, items of one type become one node. */
export const groupFrom = 3
/** A node with at most this many below it is open at first. */
const openUpTo = 3
const size = { width: 216, height: 46 }

/** What was opened or closed by hand, and what holds for everything else. */
export interface Openness {
  rest: 'few' | 'all' | 'none'
  chosen: ReadonlyMap<string, boolean>
}
export const openAtFirst: Openness = { rest: 'few', chosen: new Map() }

function isOpen({ rest, chosen }: Openness, id: string, below: number): boolean {
  return chosen.get(id) ?? (rest === 'few' ? below <= openUpTo : rest === 'all')
}

/** The drawing of a neighbourhood: items, groups of a type, and the edges between what is open. */
export function relationGraph(
  around: Neighbourhood,
  openness: Openness = openAtFirst,
  isSoft: (source: string, target: string) => boolean = () => false,
): { nodes: RelationNode[]; edges: GraphEdge[] } {
  const { rootId, items, targets, standing } = around
  const nodes = new Map<string, RelationNode>()
  const edges = new Map<string, GraphEdge>()
  const connect = (side: Side, near: string, far: string, dashed: boolean) => {
    const [source, target] = side === 'outgoing' ? [near, far] : [far, near]
    edges.set(edgeKey(source, target), { source, target, dashed })
  }
  const isDashed = (side: Side, near: string, far: string) =>
    standing.get(far)?.isLoose === true || (side === 'outgoing' ? isSoft(near, far) : isSoft(far, near))

  const open: [id: string, side: Side][] = []
  const show = (id: string, side: Side) => {
    if (nodes.has(id)) return
    nodes.set(id, { kind: 'item', id, item: items.get(id)!, ...size })
    open.push([id, side])
  }
  const spread = (id: string, side: Side) => {
    const below = belowOf(around, id, side)
    if (below.length === 0) return
    const entries = grouped(below.map((each) => items.get(each)!))
    if (id !== rootId) {
      const toggle = { isOpen: isOpen(openness, id, entries.length), count: below.length }
      nodes.set(id, { kind: 'item', id, item: items.get(id)!, toggle, ...size })
      if (!toggle.isOpen) return
    }
    for (const entry of entries) {
      if (entry.length < groupFrom) {
        for (const { id: far } of entry) {
          show(far, side)
          connect(side, id, far, isDashed(side, id, far))
        }
        continue
      }
      const type = entry[0]!.type
      const group = `${id}/${side}/${type}`
      const toggle = { isOpen: isOpen(openness, group, entry.length), count: entry.length }
      nodes.set(group, { kind: 'group', id: group, type, members: entry, toggle, ...size })
      connect(
        side,
        id,
        group,
        entry.every((each) => isDashed(side, id, each.id)),
      )
      if (!toggle.isOpen) continue
      for (const { id: far } of entry) {
        show(far, side)
        connect(side, group, far, isDashed(side, id, far))
      }
    }
  }

  nodes.set(rootId, { kind: 'item', id: rootId, item: items.get(rootId)!, ...size })
  spread(rootId, 'outgoing')
  spread(rootId, 'incoming')
  // A circle can lead to items that neither walk away from the middle meets.
  const met = metByWalks(around)
  for (const id of items.keys())
    if (!met.has(id)) show(id, standing.get(id)!.side === 'incoming' ? 'incoming' : 'outgoing')
  for (const [id, side] of open) spread(id, side)

  // Edges that lead from one side to the other, or back to the item in the middle, belong to neither walk.
  for (const source of nodes.keys()) {
    for (const target of targets.get(source) ?? []) {
      if (nodes.has(target) && isAcross(around, source, target))
        edges.set(edgeKey(source, target), { source, target, dashed: isSoft(source, target) })
    }
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()] }
}

/** The next items away from the middle on one side. */
function belowOf({ rootId, items, targets, sources, standing }: Neighbourhood, id: string, side: Side): string[] {
  const near = (side === 'outgoing' ? targets : sources).get(id) ?? []
  const below = near.filter((each) => items.has(each) && standing.get(each)?.side === side)
  if (id !== rootId) return below
  const loose = [...items.keys()].filter((each) => standing.get(each)?.isLoose && standing.get(each)?.side === side)
  return [...below, ...loose]
}

/** Everything that is drawn once all is open. */
function metByWalks(around: Neighbourhood): Set<string> {
  const met = new Set([around.rootId])
  const open: [string, Side][] = [
    [around.rootId, 'outgoing'],
    [around.rootId, 'incoming'],
  ]
  for (const [id, side] of open) {
    for (const next of belowOf(around, id, side)) {
      if (met.has(next)) continue
      met.add(next)
      open.push([next, side])
    }
  }
  return met
}

/** Items of one type together, by name; types in the order in which they appear. */
function grouped(items: readonly RelatedConfig[]): RelatedConfig[][] {
  const byType = new Map<string, RelatedConfig[]>()
  for (const item of items) {
    const list = byType.get(item.type)
    if (list) list.push(item)
    else byType.set(item.type, [item])
  }
  return [...byType.values()].flatMap((list) =>
    list.length >= groupFrom
      ? [list.toSorted((one, two) => naturalOrder(one.name, two.name))]
      : list.map((item) => [item]),
  )
}

function isAcross({ standing }: Neighbourhood, source: string, target: string): boolean {
  const [from, to] = [standing.get(source)?.side, standing.get(target)?.side]
  if (to === 'outgoing') return from === 'incoming'
  if (from === 'incoming') return false
  return true
}
