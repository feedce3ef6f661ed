import { ChevronDown, ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '@/app/paths.ts'
import { kindName } from '@/entities/config/config.ts'
import { configHealth } from '@/entities/config/config-marks.tsx'
import { cn } from '@/lib/cn.ts'
import { formatCount } from '@/lib/format.ts'
import { HealthBar } from '@/ui/health-bar.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { MiddleText } from '@/ui/middle-text.tsx'
import { type Health, HealthMark } from '@/ui/status.tsx'
import type { ItemNode, RelationNode, TypeNode } from './relation-graph.ts'

type OnToggle = (id: string, isOpen: boolean) => void

const borders: Partial<Record<Health, string>> = { unhealthy: 'border-bad', warning: 'border-warn' }

/** An item or a group of items in the graph. */
export function RelationNodeView({ node, onToggle }: { node: RelationNode; onToggle: OnToggle }) {
  return node.kind === 'item' ? (
    <ItemView node={node} onToggle={onToggle} />
  ) : (
    <GroupView node={node} onToggle={onToggle} />
  )
}

const box = 'flex h-full items-center gap-2 rounded-md border px-2.5'

function ItemView({ node, onToggle }: { node: ItemNode; onToggle: OnToggle }) {
  const { item, toggle } = node
  const health = configHealth(item.health)
  const isDeleted = !!item.deleted_at
  return (
    <div
      data-health={health}
      data-deleted={isDeleted || undefined}
      className={cn(
        box,
        isDeleted ? 'border-dashed border-line-strong bg-sunken text-subtle grayscale' : 'bg-surface',
        !isDeleted && (borders[health] ?? 'border-line'),
      )}
    >
      <Icon name={item.type} size={18} />
      <span className="min-w-0 flex-1">
        <Link to={paths.config(item.id)} className="block rounded-sm text-xs font-medium hover:underline">
          <MiddleText text={item.name} />
        </Link>
        <span className="block truncate text-2xs text-subtle" title={item.type}>
          {isDeleted ? `Deleted · ${item.type}` : item.type}
        </span>
      </span>
      {!isDeleted && <HealthMark health={health} size={10} label={item.status ?? health} />}
      {/* One item that is there needs no way to hide it. */}
      {toggle && (toggle.count > 1 || !toggle.isOpen) && (
        <button
          type="button"
          aria-expanded={toggle.isOpen}
          aria-label={`${toggle.isOpen ? 'Hide' : 'Show'} what is related to ${item.name}`}
          onClick={() => onToggle(node.id, !toggle.isOpen)}
          className="nopan inline-flex h-6 shrink-0 items-center rounded-sm bg-chip px-1 text-2xs text-muted hover:bg-pressed hover:text-fg"
        >
          {toggle.isOpen ? <ChevronDown size={12} aria-hidden /> : <ChevronRight size={12} aria-hidden />}
          {formatCount(toggle.count)}
        </button>
      )}
    </div>
  )
}

function GroupView({ node, onToggle }: { node: TypeNode; onToggle: OnToggle }) {
  const counts: Partial<Record<Health, number>> = {}
  for (const member of node.members) {
    const health = configHealth(member.health)
    counts[health] = (counts[health] ?? 0) + 1
  }
  return (
    <button
      type="button"
      aria-expanded={node.toggle.isOpen}
      aria-label={`${node.toggle.isOpen ? 'Hide' : 'Show'} ${node.toggle.count} ${node.type}`}
      onClick={() => onToggle(node.id, !node.toggle.isOpen)}
      className={cn(
        box,
        // A second edge behind it: several things in one place.
        'nopan w-full border-line-strong bg-surface text-left shadow-[3px_3px_0_0_var(--sunken),3px_3px_0_1px_var(--line)] hover:bg-hover',
        (counts.unhealthy ?? 0) > 0 ? 'border-bad' : (counts.warning ?? 0) > 0 ? 'border-warn' : undefined,
      )}
    >
      <Icon name={node.type} size={18} />
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex min-w-0 items-center gap-1.5 text-xs font-medium">
          <span className="truncate" title={node.type}>
            {kindName(node.type)}
          </span>
          <span className="shrink-0 text-muted">× {node.toggle.count}</span>
        </span>
        <HealthBar counts={counts} className="[&>span]:h-1" />
      </span>
      {node.toggle.isOpen ? (
        <ChevronDown size={14} aria-hidden className="shrink-0 text-subtle" />
      ) : (
        <ChevronRight size={14} aria-hidden className="shrink-0 text-subtle" />
      )}
    </button>
  )
}
