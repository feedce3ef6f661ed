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

/** Around many nodes that hang on one other node; one edge leads to the frame instead of one to each of them. */
export interface Frame extends Place {
  width: number
  height: number
  anchor: string
  side: 'out' | 'in'
  members: readonly string[]
}

export interface Layout {
  places: Place[]
  frames: Frame[]
}
