import type { GraphNode, LayoutRequest } from './model.ts'

/** Many nodes that hang on one other node and on nothing else; side by side in rows they take little room. */
export interface Bundle {
  id: string
  /** The node they hang on. */
  anchor: string
  /** Whether edges lead from the anchor to them, or from them to it. */
  side: 'out' | 'in'
  members: readonly GraphNode[]
  columns: number
  cell: { width: number; height: number }
  width: number
  height: number
}

/** From this many on they stand in rows; fewer make a column that is still easy to follow. */
const bundleFrom = 7
const gap = 12
const padding = 14

/** The bundles of a graph. `edges` lead only to nodes that are there. */
export function bundlesOf(nodes: readonly GraphNode[], edges: LayoutRequest['edges']): Bundle[] {
  const targets = new Map<string, string[]>()
  const sources = new Map<string, string[]>()
  for (const { source, target } of edges) {
    add(targets, source, target)
    add(sources, target, source)
  }
  const hanging = new Map<string, { anchor: string; side: Bundle['side']; members: GraphNode[] }>()
  for (const node of nodes) {
    const [from, to] = [sources.get(node.id) ?? [], targets.get(node.id) ?? []]
    if (from.length + to.length !== 1) continue
    const side = from.length === 1 ? 'out' : 'in'
    const anchor = (from[0] ?? to[0])!
    const key = `${anchor}/${side}`
    const known = hanging.get(key)
    if (known) known.members.push(node)
    else hanging.set(key, { anchor, side, members: [node] })
  }
  return [...hanging.entries()].flatMap(([key, each]) =>
    each.members.length < bundleFrom ? [] : [{ id: `bundle ${key}`, ...each, ...gridOf(each.members) }],
  )
}

/** Rows and columns for about half as much height as width. */
function gridOf(members: readonly GraphNode[]) {
  const cell = {
    width: Math.max(...members.map((node) => node.width)) + gap,
    height: Math.max(...members.map((node) => node.height)) + gap,
  }
  const columns = Math.max(2, Math.ceil(Math.sqrt((members.length * cell.height * 1.2) / cell.width)))
  const rows = Math.ceil(members.length / columns)
  return {
    columns,
    cell,
    width: columns * cell.width - gap + 2 * padding,
    height: rows * cell.height - gap + 2 * padding,
  }
}

/** Where a member stands, from the top left corner of its bundle. */
export function placeInBundle(bundle: Bundle, index: number): { x: number; y: number } {
  return {
    x: padding + (index % bundle.columns) * bundle.cell.width,
    y: padding + Math.floor(index / bundle.columns) * bundle.cell.height,
  }
}

function add(lists: Map<string, string[]>, key: string, value: string) {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
