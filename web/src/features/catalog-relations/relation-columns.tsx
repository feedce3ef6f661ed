import { ArrowDownRight, ArrowUpLeft } from 'lucide-react'
import { ConfigName, ConfigStatus } from '@/entities/config/config-marks.tsx'
import { plural } from '@/lib/format.ts'
import { Age } from '@/ui/age.tsx'
import { CountBadge } from '@/ui/count-badge.tsx'
import { Cost } from '@/ui/figures.tsx'
import type { Column } from '@/ui/table/column.ts'
import { TagList } from '@/ui/tag-list.tsx'
import type { RelatedConfig, Standing } from './related-config.ts'

export interface RelationRow extends RelatedConfig {
  standing: Standing
}

const changesOf = ({ changes }: RelatedConfig) => (changes ?? []).reduce((sum, change) => sum + change.total, 0)

function Direction({ standing: { side, distance, isLoose } }: { standing: Standing }) {
  const isOut = side === 'outgoing'
  const Arrow = isOut ? ArrowDownRight : ArrowUpLeft
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Arrow size={13} aria-hidden className="shrink-0 text-subtle" />
      {isOut ? 'Outgoing' : 'Incoming'}
      {!isLoose && distance > 1 && <span className="shrink-0 text-xs text-subtle">{plural(distance, 'step')}</span>}
    </span>
  )
}

export const relationColumns: Column<RelationRow>[] = [
  {
    id: 'name',
    header: 'Name',
    grow: true,
    minSize: 200,
    required: true,
    value: (row) => row.name,
    cell: (row) => <ConfigName name={row.name} type={row.type} className="font-medium" />,
  },
  {
    id: 'type',
    header: 'Type',
    size: 200,
    value: (row) => row.type,
    cell: (row) => <span className="block truncate">{row.type}</span>,
  },
  {
    id: 'relation',
    header: 'Relation',
    size: 170,
    value: (row) => (row.standing.side === 'outgoing' ? 1 : -1) * row.standing.distance,
    cell: (row) => <Direction standing={row.standing} />,
  },
  {
    id: 'status',
    header: 'Status',
    size: 185,
    value: (row) => row.status ?? row.health,
    cell: (row) => <ConfigStatus item={row} />,
  },
  {
    id: 'changes',
    header: 'Changes',
    size: 100,
    align: 'right',
    value: changesOf,
    cell: (row) => changesOf(row) > 0 && <CountBadge count={changesOf(row)} alarming />,
  },
  { id: 'tags', header: 'Tags', size: 220, cell: (row) => <TagList tags={row.tags} max={1} /> },
  {
    id: 'analysis',
    header: 'Analysis',
    size: 170,
    value: (row) => row.analysis?.length ?? 0,
    cell: ({ analysis }) =>
      analysis &&
      analysis.length > 0 && (
        <span className="flex min-w-0 items-center gap-1">
          <span className="truncate">{analysis[0]!.analyzer}</span>
          {analysis.length > 1 && <span className="shrink-0 text-xs text-muted">+{analysis.length - 1} more</span>}
        </span>
      ),
  },
  {
    id: 'cost',
    header: 'Cost',
    size: 80,
    align: 'right',
    value: (row) => row.cost_total_30d,
    cell: (row) => !!row.cost_total_30d && <Cost dollars={row.cost_total_30d} />,
  },
  {
    id: 'created_at',
    header: 'Created',
    size: 90,
    align: 'right',
    value: (row) => row.created_at,
    cell: (row) => <Age value={row.created_at} />,
  },
  {
    id: 'updated_at',
    header: 'Updated',
    size: 90,
    align: 'right',
    value: (row) => row.updated_at,
    cell: (row) => <Age value={row.updated_at} />,
  },
]
