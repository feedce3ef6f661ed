/** What a graph is made of, before it has places. */
export interface GraphNode {
  id: string
  width: number
  height: number
}

export interface GraphEdge {
  source: string
  target: string
  label?: string
  /** Soft relations are dashed. */
  dashed?: boolean
}

export type Direction = 'LR' | 'TB'

export interface LayoutRequest {
  nodes: readonly GraphNode[]
  edges: readonly Pick<GraphEdge, 'source' | 'target'>[]
  direction: Direction
}

export interface Place {
  id: string
  /** Top left corner. */
  x: number
  y: number
}
