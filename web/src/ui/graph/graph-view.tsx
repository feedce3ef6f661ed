import { ArrowDown, ArrowRight, CornerDownRight, Slash, Spline } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { cn } from '@/lib/cn.ts'
import { useStored } from '@/lib/storage.ts'
import { EmptyState } from '../empty-state.tsx'
import { Segmented } from '../segmented.tsx'
import { Skeleton } from '../skeleton.tsx'
import type { Direction, GraphEdge, GraphNode } from './model.ts'

const Flow = lazy(async () => ({ default: (await import('./flow.tsx')).Flow })) as unknown as <N extends GraphNode>(
  props: GraphViewProps<N> & { direction: Direction; edgeStyle: EdgeStyle },
) => ReactNode

export type EdgeStyle = 'curved' | 'step' | 'straight'

export interface GraphViewProps<N extends GraphNode> {
  label: string
  /** Keep the same arrays while nothing changes: new ones are laid out again. */
  nodes: readonly N[]
  edges: readonly GraphEdge[]
  renderNode: (node: N) => ReactNode
  onNodeClick?: (node: N) => void
  selectedId?: string
  /** The item that was just opened or closed: it stays where it is while the rest is laid out anew. */
  anchorId?: string
  /** While it stays the same, new nodes keep the view where it is; another one is looked at from its beginning. */
  viewKey?: string
  direction: Direction
  edgeStyle: EdgeStyle
  actions?: ReactNode
}

export type GraphProps<N extends GraphNode> = Omit<GraphViewProps<N>, 'direction' | 'edgeStyle'> & {
  className?: string
  empty?: ReactNode
}

const directions = [
  { value: 'LR', label: <span className="sr-only">Left to right</span>, icon: ArrowRight },
  { value: 'TB', label: <span className="sr-only">Top to bottom</span>, icon: ArrowDown },
] as const
const styles = [
  { value: 'curved', label: <span className="sr-only">Curved</span>, icon: Spline },
  { value: 'step', label: <span className="sr-only">Right angles</span>, icon: CornerDownRight },
  { value: 'straight', label: <span className="sr-only">Straight</span>, icon: Slash },
] as const

/** Items and their relations, laid out by itself; direction and edges can be switched and are remembered. Fills its box. */
export function GraphView<N extends GraphNode>({ className, actions, empty, ...props }: GraphProps<N>) {
  const [direction, setDirection] = useStored<Direction>('quarterdeck.graph.direction', 'LR')
  const [edgeStyle, setEdgeStyle] = useStored<EdgeStyle>('quarterdeck.graph.edges', 'curved')
  if (props.nodes.length === 0) return empty ?? <EmptyState />
  return (
    <div className={cn('relative h-full min-h-0', className)}>
      <Suspense fallback={<Skeleton className="h-full w-full rounded-md opacity-40" />}>
        <Flow
          {...props}
          direction={direction}
          edgeStyle={edgeStyle}
          actions={
            <>
              {actions}
              <Segmented aria-label="Direction" value={direction} onChange={setDirection} options={directions} />
              <Segmented aria-label="Edges" value={edgeStyle} onChange={setEdgeStyle} options={styles} />
            </>
          }
        />
      </Suspense>
    </div>
  )
}
