import dagre from '@dagrejs/dagre'
import { bundlesOf, placeInBundle } from './bundles.ts'
import type { Layout, LayoutRequest, Place } from './model.ts'

/**
 * Places the nodes of a graph in layers, and many nodes that hang on one other node in rows inside a frame. Edges to
 * nodes that are not there are ignored, and so are self-references.
 */
export function place({ nodes, edges, direction }: LayoutRequest): Layout {
  const known = new Set(nodes.map((node) => node.id))
  const lines = new Map(
    edges
      .filter(({ source, target }) => source !== target && known.has(source) && known.has(target))
      .map((edge) => [`${edge.source} ${edge.target}`, edge]),
  )
  const bundles = bundlesOf(nodes, [...lines.values()])
  const bundleOf = new Map(bundles.flatMap((bundle) => bundle.members.map((node) => [node.id, bundle.id])))
  const boxes = [...nodes.filter((node) => !bundleOf.has(node.id)), ...bundles]

  const graph = new dagre.graphlib.Graph()
  graph.setGraph({
    rankdir: direction,
    nodesep: 20,
    ranksep: direction === 'LR' ? 72 : 56,
    ranker: boxes.length > 400 ? 'longest-path' : 'network-simplex',
  })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height })
  for (const { source, target } of lines.values())
    graph.setEdge(bundleOf.get(source) ?? source, bundleOf.get(target) ?? target)
  dagre.layout(graph)

  const cornerOf = ({ id, width, height }: { id: string; width: number; height: number }): Place => {
    const at = graph.node(id) as { x: number; y: number }
    return { id, x: at.x - width / 2, y: at.y - height / 2 }
  }
  const frames = bundles.map((bundle) => ({ bundle, ...cornerOf(bundle) }))
  const inFrames = new Map(
    frames.flatMap(({ bundle, x, y }) =>
      bundle.members.map((node, i) => {
        const at = placeInBundle(bundle, i)
        return [node.id, { id: node.id, x: x + at.x, y: y + at.y }] as const
      }),
    ),
  )
  return {
    places: nodes.map((node) => inFrames.get(node.id) ?? cornerOf(node)),
    frames: frames.map(({ bundle: { id, anchor, side, members, width, height }, x, y }) => ({
      id,
      x,
      y,
      width,
      height,
      anchor,
      side,
      members: members.map((node) => node.id),
    })),
  }
}
