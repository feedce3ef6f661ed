import {
  Background,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  useStoreApi,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { Maximize, Minus, Plus } from 'lucide-react'
import { createContext, memo, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { ErrorPanel } from '../error-panel.tsx'
import { IconButton } from '../icon-button.tsx'
import { Spinner } from '../spinner.tsx'
import { plural } from '@/lib/format.ts'
import type { GraphViewProps } from './graph-view.tsx'
import { layoutGraph } from './layout.ts'
import type { Direction, Frame, GraphEdge, GraphNode, Place } from './model.ts'

interface Drawing {
  render: (node: GraphNode) => ReactNode
  open?: (node: GraphNode) => void
  direction: Direction
  selectedId?: string
}
const DrawingContext = createContext<Drawing>({ render: () => null, direction: 'LR' })

/** The drawing, in a chunk of its own; use GraphView. */
export function Flow<N extends GraphNode>(props: GraphViewProps<N>) {
  return (
    <ReactFlowProvider>
      <Laid {...(props as unknown as GraphViewProps<GraphNode>)} />
    </ReactFlowProvider>
  )
}

const nodeTypes = { item: memo(Item), frame: memo(FrameBox) }
const shapes = { curved: 'default', step: 'smoothstep', straight: 'straight' } as const

function Laid({
  nodes,
  edges,
  direction,
  edgeStyle,
  renderNode,
  onNodeClick,
  selectedId,
  anchorId,
  viewKey,
  label,
  actions,
}: GraphViewProps<GraphNode> & { direction: Direction; edgeStyle: keyof typeof shapes }) {
  const flow = useReactFlow()
  const store = useStoreApi()
  const [laid, setLaid] = useState<{ of: readonly GraphNode[]; places: Map<string, Place>; frames: readonly Frame[] }>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    let isCurrent = true
    setError(undefined)
    layoutGraph({
      nodes: nodes.map(({ id, width, height }) => ({ id, width, height })),
      edges: edges.map(({ source, target }) => ({ source, target })),
      direction,
    }).then(
      ({ places, frames }) =>
        isCurrent && setLaid({ of: nodes, places: new Map(places.map((each) => [each.id, each])), frames }),
      (failure) => isCurrent && setError(failure),
    )
    return () => {
      isCurrent = false
    }
  }, [nodes, edges, direction])

  // The old drawing stays until the new places are known, so that filtering does not flash.
  const shown = useMemo(
    () => laid && [...laid.frames.map(frameNode), ...laid.of.flatMap((node) => itemNode(node, laid.places))],
    [laid],
  )
  const lines = useMemo(
    () =>
      framedEdges(edges, laid?.frames ?? []).map(({ source, target, label: text, dashed }): Edge => ({
        id: `${source} ${target}`,
        source,
        target,
        label: text,
        type: shapes[edgeStyle],
        style: { stroke: 'var(--line-strong)', strokeWidth: 1.25, strokeDasharray: dashed ? '5 4' : undefined },
        labelStyle: { fill: 'var(--muted)', fontSize: 11 },
        labelBgStyle: { fill: 'var(--canvas)' },
        markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--line-strong)', width: 14, height: 14 },
      })),
    [edges, edgeStyle, laid],
  )
  const viewed = useRef<{ laid: typeof laid; key: string }>(undefined)
  useEffect(() => {
    if (!laid || viewed.current?.laid === laid) return
    const last = viewed.current
    const key = `${direction} ${viewKey}`
    viewed.current = { laid, key }
    const anchor = viewKey !== undefined && last?.key === key ? (anchorId ?? selectedId) : undefined
    const before = anchor === undefined ? undefined : last?.laid?.places.get(anchor)
    const after = anchor === undefined ? undefined : laid.places.get(anchor)
    requestAnimationFrame(() => {
      const { width, height } = store.getState()
      if (before && after) {
        const { x, y, zoom } = flow.getViewport()
        const kept = { zoom, x: x + (before.x - after.x) * zoom, y: y + (before.y - after.y) * zoom }
        const added = [...laid.places.values()].filter((each) => !last!.laid!.places.has(each.id))
        void flow.setViewport(withInView(kept, added, after, laid.of[0]!, { width, height }), { duration: 150 })
        return
      }
      void flow.setViewport(firstView([...laid.places.values()], laid.of, { width, height }, direction, selectedId), {
        duration: 150,
      })
    })
  }, [laid, flow, store, direction, selectedId, anchorId, viewKey])
  const drawing = useMemo(
    () => ({ render: renderNode, open: onNodeClick, direction, selectedId }),
    [renderNode, onNodeClick, direction, selectedId],
  )

  if (error) return <ErrorPanel error={error} />
  if (!shown)
    return (
      <div className="grid h-full place-items-center text-sm text-muted">
        <span className="flex items-center gap-2">
          <Spinner /> Laying out {plural(nodes.length, 'item')}
        </span>
      </div>
    )
  return (
    <DrawingContext value={drawing}>
      <ReactFlow
        aria-label={label}
        nodes={shown}
        edges={lines}
        nodeTypes={nodeTypes}
        minZoom={0.02}
        maxZoom={2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        onlyRenderVisibleElements={shown.length > 150}
        proOptions={{ hideAttribution: true }}
        zoomOnDoubleClick={false}
      >
        <Background gap={20} size={1} color="var(--line)" />
        <div className="absolute right-3 bottom-3 z-10 flex flex-col rounded-md border border-line bg-surface p-0.5">
          <IconButton size="sm" icon={Plus} label="Zoom in" onClick={() => void flow.zoomIn({ duration: 120 })} />
          <IconButton size="sm" icon={Minus} label="Zoom out" onClick={() => void flow.zoomOut({ duration: 120 })} />
          <IconButton
            size="sm"
            icon={Maximize}
            label="Fit to view"
            onClick={() => void flow.fitView({ padding: 0.1, maxZoom: 1.1, duration: 150 })}
          />
        </div>
        {actions && <div className="absolute top-3 left-3 z-10 flex flex-wrap gap-2">{actions}</div>}
      </ReactFlow>
    </DrawingContext>
  )
}

function itemNode(node: GraphNode, places: ReadonlyMap<string, Place>): Node[] {
  const at = places.get(node.id)
  if (!at) return []
  const position = { x: at.x, y: at.y }
  return [{ id: node.id, type: 'item', position, width: node.width, height: node.height, data: { node } }]
}

function frameNode({ id, x, y, width, height }: Frame): Node {
  return { id, type: 'frame', position: { x, y }, width, height, zIndex: -1, data: { width, height } }
}

/** The edges to the nodes of a frame become one edge to the frame, dashed when all of them are. */
function framedEdges(edges: readonly GraphEdge[], frames: readonly Frame[]): GraphEdge[] {
  if (frames.length === 0) return [...edges]
  const frameOf = new Map(frames.flatMap((frame) => frame.members.map((id) => [id, frame.id])))
  const drawn = new Map<string, GraphEdge>()
  for (const edge of edges) {
    const [source, target] = [frameOf.get(edge.source) ?? edge.source, frameOf.get(edge.target) ?? edge.target]
    const known = drawn.get(`${source} ${target}`)
    drawn.set(`${source} ${target}`, {
      ...edge,
      source,
      target,
      dashed: edge.dashed && (known?.dashed ?? true),
    })
  }
  return [...drawn.values()]
}

interface View {
  x: number
  y: number
  zoom: number
}

/** Moves a view just so far that what was added can be seen, and never so far that the anchor cannot. */
function withInView(
  view: View,
  added: Place[],
  anchor: Place,
  size: GraphNode,
  box: { width: number; height: number },
): View {
  if (added.length === 0) return view
  const shift = (axis: 'x' | 'y', extent: number, room: number) => {
    const at = (place: Place) => place[axis] * view.zoom + view[axis]
    const span = extent * view.zoom
    const start = Math.min(...added.map(at))
    const end = Math.max(...added.map(at)) + span
    const wanted = end > room - margin ? room - margin - end : start < margin ? margin - start : 0
    const most = wanted < 0 ? Math.min(0, margin - at(anchor)) : Math.max(0, room - margin - span - at(anchor))
    return wanted < 0 ? Math.max(wanted, most) : Math.min(wanted, most)
  }
  return { ...view, x: view.x + shift('x', size.width, box.width), y: view.y + shift('y', size.height, box.height) }
}
const margin = 40

/** The whole graph when it stays readable; otherwise its beginning, or the chosen item, at a readable size. */
function firstView(
  places: Place[],
  nodes: readonly GraphNode[],
  box: { width: number; height: number },
  direction: Direction,
  selectedId?: string,
) {
  const size = new Map(nodes.map((node) => [node.id, node]))
  const right = Math.max(...places.map((at) => at.x + (size.get(at.id)?.width ?? 0)))
  const bottom = Math.max(...places.map((at) => at.y + (size.get(at.id)?.height ?? 0)))
  const left = Math.min(...places.map((at) => at.x))
  const top = Math.min(...places.map((at) => at.y))
  const fit = Math.min((box.width * 0.9) / (right - left), (box.height * 0.9) / (bottom - top))
  if (fit >= legible) {
    const zoom = Math.min(fit, 1.1)
    return { zoom, x: box.width / 2 - ((left + right) / 2) * zoom, y: box.height / 2 - ((top + bottom) / 2) * zoom }
  }
  const zoom = 0.75
  const chosen = places.find((at) => at.id === selectedId)
  const root = chosen ?? places.toSorted((a, b) => (direction === 'LR' ? a.x - b.x : a.y - b.y))[0]
  const axis = direction === 'LR' ? 'x' : 'y'
  // Nothing comes before the first: the room is for what comes after it.
  const isFirst = places.every((at) => at[axis] >= (root?.[axis] ?? 0))
  const { width = 0, height = 0 } = size.get(root?.id ?? '') ?? {}
  const atX = direction === 'LR' && isFirst ? 60 : (box.width - width * zoom) / 2
  const atY = direction === 'TB' && isFirst ? 60 : (box.height - height * zoom) / 2
  return { zoom, x: atX - (root?.x ?? 0) * zoom, y: atY - (root?.y ?? 0) * zoom }
}

// From this size on, names can be read without effort.
const legible = 0.6
// Below this size nothing can be read any more: items become plain blocks, which are quick to draw.
const readable = 0.35

function Item({ data }: NodeProps) {
  const { render, open, direction, selectedId } = useContext(DrawingContext)
  const node = data.node as GraphNode
  const isFar = useStore((state) => state.transform[2] < readable)
  const [from, to] = direction === 'LR' ? [Position.Right, Position.Left] : [Position.Bottom, Position.Top]
  return (
    // A button where a click opens something, otherwise only a drawing.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      data-node={node.id}
      data-selected={node.id === selectedId || undefined}
      role={open ? 'button' : undefined}
      tabIndex={open ? 0 : undefined}
      onClick={open && (() => open(node))}
      onKeyDown={open && ((event) => event.key === 'Enter' && open(node))}
      style={{ width: node.width, height: node.height }}
      className="pointer-events-auto rounded-md data-selected:ring-2 data-selected:ring-accent"
    >
      <Handle type="target" position={to} isConnectable={false} className="pointer-events-none opacity-0" />
      {isFar ? <div className="h-full rounded-md bg-line-strong/50" /> : render(node)}
      <Handle type="source" position={from} isConnectable={false} className="pointer-events-none opacity-0" />
    </div>
  )
}

/** The background of nodes that stand together. */
function FrameBox({ data }: NodeProps) {
  const { direction } = useContext(DrawingContext)
  const [from, to] = direction === 'LR' ? [Position.Right, Position.Left] : [Position.Bottom, Position.Top]
  const { width, height } = data as { width: number; height: number }
  return (
    <div style={{ width, height }} className="rounded-lg border border-line bg-sunken/60">
      <Handle type="target" position={to} isConnectable={false} className="pointer-events-none opacity-0" />
      <Handle type="source" position={from} isConnectable={false} className="pointer-events-none opacity-0" />
    </div>
  )
}
