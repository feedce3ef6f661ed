import { AgentBadge } from '@/entities/agent-badge.tsx'
import { type AnalysisMark, type ChangeCount, type ConfigItem, totalChanges } from '@/entities/config/config.ts'
import { ConfigName, ConfigStatus, CostChangeBadge } from '@/entities/config/config-marks.tsx'
import { FirstTags } from '@/entities/config/first-tags.tsx'
import { formatCost, formatNumber } from '@/lib/format.ts'
import { Age } from '@/ui/age.tsx'
import { CountBadge } from '@/ui/count-badge.tsx'
import { Cost } from '@/ui/figures.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import type { Column } from '@/ui/table/column.ts'

const changesInWords = (changes: readonly ChangeCount[]) =>
  changes.map((each) => `${formatNumber(each.total)} × ${each.change_type ?? 'change'}`).join('\n')

const costsInWords = (item: ConfigItem) =>
  (
    [
      ['1 day', item.cost_total_1d],
      ['7 days', item.cost_total_7d],
      ['30 days', item.cost_total_30d],
    ] as const
  )
    .flatMap(([span, cost]) => (cost === null || cost === undefined ? [] : [`${span}: ${formatCost(cost)}`]))
    .join('\n')

/** The columns of the list of items; a click on a tag narrows the list to it. */
export function configColumns(onTag: (key: string, value: string) => void): Column<ConfigItem>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      grow: true,
      minSize: 184,
      required: true,
      sortable: true,
      cell: (item) => (
        <span className="flex min-w-0 items-center gap-2">
          <ConfigName name={item.name} type={item.type} className="min-w-0" />
          <AgentBadge agent={item.agent} className="shrink-0" />
        </span>
      ),
    },
    {
      id: 'type',
      header: 'Type',
      size: 140,
      sortable: true,
      cell: (item) => <span title={item.type}>{item.type}</span>,
    },
    { id: 'health', header: 'Status', size: 112, sortable: true, cell: (item) => <ConfigStatus item={item} /> },
    {
      id: 'changes',
      header: 'Changes',
      size: 84,
      align: 'right',
      cell: (item) => {
        const total = totalChanges(item.changes)
        return (
          total > 0 && (
            <span title={changesInWords(item.changes ?? [])}>
              <CountBadge count={total} alarming />
            </span>
          )
        )
      },
    },
    {
      id: 'tags',
      header: 'Tags',
      size: 136,
      cell: (item) => <FirstTags tags={item.tags} onTagClick={onTag} />,
    },
    { id: 'analysis', header: 'Analysis', size: 118, cell: (item) => <Analysis marks={item.analysis} /> },
    {
      id: 'cost_total_1d',
      header: 'Cost',
      size: 132,
      align: 'right',
      sortable: true,
      hint: 'Cost of the last day, and how it differs from the daily average of 30 days',
      cell: (item) => (
        <span className="inline-flex items-center gap-1.5" title={costsInWords(item)}>
          <CostChangeBadge costs={item} />
          <Cost dollars={item.cost_total_1d} />
        </span>
      ),
    },
    {
      id: 'created_at',
      header: 'Created',
      size: 96,
      align: 'right',
      sortable: true,
      cell: (item) => <Age value={item.created_at} />,
    },
    {
      id: 'updated_at',
      header: 'Updated',
      size: 98,
      align: 'right',
      sortable: true,
      cell: (item) => <Age value={item.updated_at} />,
    },
    {
      id: 'deleted_at',
      header: 'Deleted At',
      size: 116,
      align: 'right',
      sortable: true,
      cell: (item) => <Age value={item.deleted_at} />,
    },
    {
      id: 'changed',
      header: 'Changed',
      size: 92,
      hidden: true,
      hint: 'Whether anything about it changed',
      cell: (item) => (totalChanges(item.changes) > 0 ? 'Yes' : 'No'),
    },
  ]
}

/** The first analyzer and how many more there are. */
function Analysis({ marks }: { marks: readonly AnalysisMark[] | null }) {
  const analyzers = [...new Map((marks ?? []).map((mark) => [mark.analyzer, mark])).values()]
  const [first, ...rest] = analyzers
  if (!first) return null
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={analyzers.map((mark) => mark.analyzer).join('\n')}>
      <Icon name={first.analysis_type} fallback="recommendation" size={14} />
      <span className="truncate">{first.analyzer}</span>
      {rest.length > 0 && <span className="shrink-0 text-xs text-muted">+{rest.length} more</span>}
    </span>
  )
}
