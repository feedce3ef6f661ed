import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { GraphView } from '@/ui/graph/graph-view.tsx'
import { IconButton } from '@/ui/icon-button.tsx'
import type { Neighbourhood } from './neighbourhood.ts'
import { type Openness, openAtFirst, type RelationNode, relationGraph } from './relation-graph.ts'
import { RelationNodeView } from './relation-node.tsx'

/** The neighbourhood as a drawing; groups and items open and close where they are. */
export function RelationsGraph({
  around,
  isSoft,
  viewKey,
}: {
  around: Neighbourhood
  isSoft: (source: string, target: string) => boolean
  /** Another key is another question: the drawing is then looked at from its beginning. */
  viewKey: string
}) {
  const [openness, setOpenness] = useState<Openness>(openAtFirst)
  const [touched, setTouched] = useState<string>()
  const { nodes, edges } = useMemo(() => relationGraph(around, openness, isSoft), [around, openness, isSoft])
  const toggle = useCallback((id: string, isOpen: boolean) => {
    setTouched(id)
    setOpenness((now) => ({ ...now, chosen: new Map([...now.chosen, [id, isOpen]]) }))
  }, [])
  const render = useCallback((node: RelationNode) => <RelationNodeView node={node} onToggle={toggle} />, [toggle])
  const all = (rest: 'all' | 'none') => {
    setTouched(undefined)
    setOpenness({ rest, chosen: new Map() })
  }
  return (
    <GraphView
      label="Related catalog items"
      nodes={nodes}
      edges={edges}
      renderNode={render}
      selectedId={around.rootId}
      anchorId={touched}
      viewKey={`${viewKey} ${openness.rest}`}
      actions={
        <div className="flex rounded-md border border-line bg-surface">
          <IconButton icon={ChevronsUpDown} label="Expand all" onClick={() => all('all')} />
          <IconButton icon={ChevronsDownUp} label="Collapse all" onClick={() => all('none')} />
        </div>
      }
    />
  )
}
