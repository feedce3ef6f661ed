import { Star } from 'lucide-react'
import { Link } from 'react-router'
import { paths, withQuery } from '@/app/paths.ts'
import { kindName } from '@/entities/config/config.ts'
import { wordOf } from '@/entities/insight/insight.ts'
import { cn } from '@/lib/cn.ts'
import { formatNumber, plural } from '@/lib/format.ts'
import { Age } from '@/ui/age.tsx'
import { CountBadge } from '@/ui/count-badge.tsx'
import { Cost } from '@/ui/figures.tsx'
import { HealthBar } from '@/ui/health-bar.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { type Health, HealthMark } from '@/ui/status.tsx'
import type { Column } from '@/ui/table/column.ts'
import { noValue, type SummaryNode } from './summary-tree.ts'

/** Items by health; those without one count as unknown. */
export function healthCounts({ health, count }: Pick<SummaryNode, 'health' | 'count'>): Record<Health, number> {
  const { healthy = 0, unhealthy = 0, warning = 0 } = health
  return { healthy, unhealthy, warning, unknown: Math.max(0, count - healthy - unhealthy - warning) }
}

/** Share of items that need a look, for sorting by health: the worst last when ascending. */
function badness(node: SummaryNode): number {
  const { unhealthy, warning } = healthCounts(node)
  return node.count > 0 ? (unhealthy + warning / 1000) / node.count : 0
}

const total = (tally: Record<string, number>) => Object.values(tally).reduce((sum, count) => sum + count, 0)

export function summaryColumns(onToggleFavourite: (type: string) => void): Column<SummaryNode>[] {
  return [
    {
      id: 'type',
      header: 'Name',
      grow: true,
      minSize: 260,
      required: true,
      // Items without the tag come last, whichever way the others stand.
      value: (node) => (node.label === noValue ? undefined : node.label),
      cell: (node) => (
        <span className="group/name flex min-w-0 items-center gap-2">
          <Icon name={node.group === 'type' || node.group === 'config_class' ? node.label : 'tag'} fallback="box" />
          <span className={cn('truncate', node.children && 'font-medium', node.isUnderProvider && 'max-sm:hidden')}>
            {node.label}
          </span>
          {/* Where there is little room the provider above is enough. */}
          {node.isUnderProvider && <span className="truncate sm:hidden">{kindName(node.label)}</span>}
          <CountBadge count={node.count} />
          {node.type !== undefined && (
            <FavouriteButton type={node.type} isOn={node.isFavourite} onToggle={onToggleFavourite} />
          )}
        </span>
      ),
    },
    {
      id: 'count',
      header: 'Items',
      size: 84,
      align: 'right',
      hidden: true,
      value: (node) => node.count,
      cell: (node) => formatNumber(node.count),
    },
    {
      id: 'health',
      header: 'Health',
      size: 220,
      value: badness,
      cell: (node) => <HealthFigures counts={healthCounts(node)} />,
    },
    {
      id: 'changes',
      header: 'Changes',
      size: 100,
      align: 'right',
      hint: 'Changes of the last 30 days',
      value: (node) => node.changes,
      cell: (node) => node.changes > 0 && <CountBadge count={node.changes} alarming />,
    },
    {
      id: 'analysis',
      header: 'Analysis',
      size: 180,
      hint: 'Insights seen in the last 30 days',
      value: (node) => total(node.analysis),
      cell: (node) => <AnalysisCounts node={node} />,
    },
    {
      id: 'cost_total_30d',
      header: 'Cost (30d)',
      size: 110,
      align: 'right',
      value: (node) => node.cost,
      cell: (node) => <Cost dollars={node.cost} />,
    },
    {
      id: 'created_at',
      header: 'Created',
      size: 96,
      align: 'right',
      hint: 'When the newest item was created',
      value: (node) => node.created_at && new Date(node.created_at),
      cell: (node) => <Age value={node.created_at} />,
    },
    {
      id: 'updated_at',
      header: 'Updated',
      size: 96,
      align: 'right',
      hint: 'When an item last changed',
      value: (node) => node.updated_at && new Date(node.updated_at),
      cell: (node) => <Age value={node.updated_at} />,
    },
  ]
}

function FavouriteButton({ type, isOn, onToggle }: { type: string; isOn: boolean; onToggle: (type: string) => void }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      aria-label={isOn ? `Unpin ${type}` : `Pin ${type}`}
      title={isOn ? 'Remove from favourites' : 'Pin to the top'}
      onClick={() => onToggle(type)}
      className={cn(
        'grid size-6 shrink-0 place-items-center rounded-sm hover:bg-pressed focus-visible:opacity-100',
        isOn ? 'text-warn' : 'text-subtle opacity-0 group-hover/name:opacity-100 [tr:hover_&]:opacity-100',
      )}
    >
      <Star size={14} aria-hidden fill={isOn ? 'currentColor' : 'none'} />
    </button>
  )
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** The bar, and how many need a look; the rest is on hover. */
function HealthFigures({ counts }: { counts: Record<Health, number> }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <HealthBar counts={counts} className="min-w-16 flex-1" />
      <span aria-hidden className="flex w-28 shrink-0 gap-2.5 text-xs text-muted">
        {(['unhealthy', 'warning'] as const).map(
          (health) =>
            counts[health] > 0 && (
              <span key={health} className="inline-flex items-center gap-1">
                <HealthMark health={health} size={9} />
                {compact.format(counts[health])}
              </span>
            ),
        )}
      </span>
    </span>
  )
}

/** Most kinds of insights shown on a line. */
const mostKinds = 3

const icons: Record<string, string> = {
  availability: 'activity',
  compliance: 'ticket',
  performance: 'gauge',
  reliability: 'scale',
  security: 'shield',
  other: 'recommendation',
}

/** Insights by type as icons with figures, each a way to the list of them. */
function AnalysisCounts({ node }: { node: SummaryNode }) {
  const types = Object.entries(node.analysis).sort(([, a], [, b]) => b - a)
  return (
    <span className="flex min-w-0 items-center gap-2">
      {types.slice(0, mostKinds).map(([analysis, count]) => {
        const text = `${plural(count, 'insight')} about ${wordOf(analysis).toLowerCase()}`
        const mark = (
          <>
            <Icon name={icons[analysis] ?? analysis} fallback="recommendation" size={14} />
            {compact.format(count)}
          </>
        )
        const box = 'inline-flex items-center gap-1 rounded-sm text-xs text-muted'
        return node.type === undefined ? (
          <span key={analysis} title={text} className={box}>
            {mark}
            <span className="sr-only">{text}</span>
          </span>
        ) : (
          <Link
            key={analysis}
            to={withQuery(paths.catalogInsights, { configType: node.type, type: analysis })}
            title={text}
            aria-label={text}
            className={cn(box, 'hover:text-fg hover:underline')}
          >
            {mark}
          </Link>
        )
      })}
      {types.length > mostKinds && (
        <span
          className="text-xs text-subtle"
          title={types
            .slice(mostKinds)
            .map(([analysis, count]) => `${wordOf(analysis)}: ${formatNumber(count)}`)
            .join('\n')}
        >
          +{types.length - mostKinds}
        </span>
      )}
    </span>
  )
}
