import dagre from '@dagrejs/dagre'
import type { LayoutRequest, Place } from './model.ts'

/** Places the nodes of a graph in layers. Edges to nodes that are not there are ignored, and so are self-references. */
export function place({ nodes, edges, direction }: LayoutRequest): Place[] {
  const graph = new dagre.graphlib.Graph()
  graph.setGraph({
    rankdir: direction,
    nodesep: 20,
    ranksep: direction === 'LR' ? 72 : 56,
    ranker: nodes.length > 400 ? 'longest-path' : 'network-simplex',
  })
  graph.setDefaultEdgeLabel(() => ({}))
  const known = new Set(nodes.map((node) => node.id))
  for (const node of nodes) graph.setNode(node.id, { width: node.width, height: node.height })
  for (const { source, target } of edges)
    if (source !== target && known.has(source) && known.has(target)) graph.setEdge(source, target)
  dagre.layout(graph)
  return nodes.map(({ id, width, height }) => {
    const at = graph.node(id) as { x: number; y: number }
    return { id, x: at.x - width / 2, y: at.y - height / 2 }
  })
}
