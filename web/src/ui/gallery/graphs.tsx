import { useMemo, useState } from 'react'
import { GraphView } from '../graph/graph-view.tsx'
import { Icon } from '../icons/icon.tsx'
import { MiddleText } from '../middle-text.tsx'
import { type Health, HealthMark } from '../status.tsx'

interface Item {
  id: string
  width: number
  height: number
  name: string
  type: string
  health: Health
}

const types = [
  'Kubernetes::Deployment',
  'Kubernetes::ReplicaSet',
  'Kubernetes::Pod',
  'Kubernetes::Service',
  'AWS::EC2::Instance',
]
const states: Health[] = ['healthy', 'healthy', 'healthy', 'warning', 'unhealthy', 'unknown']

export function Graphs() {
  const count = Number(new URLSearchParams(location.search).get('count') ?? 24)
  const [selected, setSelected] = useState<string>()
  const { nodes, edges } = useMemo(
    () => ({
      nodes: Array.from({ length: count }, (_, i): Item => ({
        id: `n${i}`,
        width: 200,
        height: 44,
        name: `checkout-service-${i}-7d9f8b6c5d-x2k4q`,
        type: types[i % types.length]!,
        health: states[(i * 7) % states.length]!,
      })),
      edges: Array.from({ length: count - 1 }, (_, i) => ({
        source: `n${Math.floor(i / 3)}`,
        target: `n${i + 1}`,
        dashed: i % 5 === 0,
      })),
    }),
    [count],
  )
  return (
    <div className="h-full overflow-hidden rounded-lg border border-line bg-canvas">
      <GraphView
        label="Relations"
        nodes={nodes}
        edges={edges}
        selectedId={selected}
        onNodeClick={(node) => setSelected(node.id)}
        renderNode={renderNode}
      />
    </div>
  )
}

const renderNode = (node: Item) => (
  <div
    className={`flex h-full items-center gap-2 rounded-md border bg-surface px-2.5 ${node.health === 'unhealthy' ? 'border-bad' : node.health === 'warning' ? 'border-warn' : 'border-line'}`}
  >
    <Icon name={node.type} size={18} />
    <span className="min-w-0 flex-1">
      <MiddleText text={node.name} className="text-xs font-medium" />
      <span className="block truncate text-2xs text-subtle">{node.type}</span>
    </span>
    <HealthMark health={node.health} size={10} />
  </div>
)
