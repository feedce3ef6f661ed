import {
  defaultHealthRange,
  healthRangeMinutes,
  healthRanges,
  type HealthRange,
} from '@quarterdeck/contract/time-range'
import { Columns3, LayoutGrid, SlidersHorizontal, Table2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/ui/button.tsx'
import { SearchFilter } from '@/ui/filter/filter-bar.tsx'
import { Popover } from '@/ui/popover.tsx'
import { Segmented } from '@/ui/segmented.tsx'
import { Select } from '@/ui/select.tsx'
import { HealthMark } from '@/ui/status.tsx'
import { groupByChoices, type StateCounts } from '../grouping.ts'
import type { healthFilters } from '../health.filters.ts'
import { pivotCellTypes } from '../pivot.ts'
import { isRateDisabled, type RefreshRate, refreshRates } from '../refresh-rate.ts'

type Filters = ReturnType<typeof healthFilters.read>

interface ToolbarProps {
  filters: Filters
  setFilters: (change: Partial<Filters>) => void
  labelKeys: readonly string[]
  /** undefined while the checks load. */
  counts: StateCounts | undefined
  rate: RefreshRate
  onRate: (rate: RefreshRate) => void
  onShowPanel: () => void
}

const groupWords: Record<string, string> = {
  'no-group': 'Nothing',
  canary_name: 'Canary',
  name: 'Name',
  description: 'Description',
  type: 'Type',
}

/** Search, how the checks are arranged, how they are, and how often they are read again. */
export function HealthToolbar({ filters, setFilters, labelKeys, counts, rate, onRate, onShowPanel }: ToolbarProps) {
  const labels = labelKeys.map((key) => ({ value: key, label: key }))
  const range: HealthRange = filters.timeRange ?? defaultHealthRange
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-2">
      <Button className="lg:hidden" icon={SlidersHorizontal} onClick={onShowPanel}>
        <span className="max-sm:sr-only">Filters</span>
      </Button>
      {/* On a phone the search has a line of its own. */}
      <div className="max-sm:order-first max-sm:basis-full">
        <SearchFilter value={filters.query} onChange={(query) => setFilters({ query })} placeholder="Search checks" />
      </div>
      <Select
        className="w-auto max-w-56"
        aria-label="Group by"
        prefix="Group by"
        value={filters.groupBy}
        onChange={(groupBy) => setFilters({ groupBy })}
        options={[
          ...groupByChoices.map((value) => ({ value: value as string, label: groupWords[value] ?? value })),
          ...labels,
        ]}
      />
      <ViewMenu filters={filters} setFilters={setFilters} labelKeys={labelKeys} />
      <Segmented
        aria-label="Layout"
        value={filters.layout}
        onChange={(layout) => setFilters({ layout })}
        options={[
          { value: 'table', label: <span className="sr-only">Table</span>, icon: Table2 },
          { value: 'card', label: <span className="sr-only">Cards</span>, icon: LayoutGrid },
        ]}
      />
      <div className="ml-auto flex items-center gap-2 max-sm:w-full max-sm:justify-between">
        {counts && <Counts counts={counts} />}
        <Select
          className="w-auto max-w-56"
          aria-label="Time range"
          value={range}
          onChange={(timeRange) => setFilters({ timeRange })}
          options={healthRanges.map(({ label }) => ({ value: label, label }))}
        />
        <Select
          className="w-auto max-w-56"
          aria-label="Refresh"
          prefix="Refresh"
          value={rate}
          onChange={onRate}
          options={refreshRates.map((value) => ({
            value,
            label: value,
            disabled: isRateDisabled(value, healthRangeMinutes(range)),
          }))}
        />
      </div>
    </div>
  )
}

/** How checks fall into tabs and columns; chosen seldom, so behind one button. */
function ViewMenu({ filters, setFilters, labelKeys }: Pick<ToolbarProps, 'filters' | 'setFilters' | 'labelKeys'>) {
  const labels = labelKeys.map((key) => ({ value: key, label: key }))
  return (
    <Popover
      trigger={
        <Button icon={Columns3} className={filters.pivotBy ? 'text-accent-text' : undefined}>
          <span className="max-sm:sr-only">View</span>
        </Button>
      }
      className="flex w-64 flex-col gap-3"
    >
      <Select
        aria-label="Tabs by"
        prefix="Tabs by"
        value={filters.tabBy}
        onChange={(tabBy) => setFilters({ tabBy, tab: '' })}
        options={[{ value: 'namespace', label: 'Namespace' }, { value: 'agent_id', label: 'Agent' }, ...labels]}
      />
      <Select
        aria-label="Pivot by"
        prefix="Pivot by"
        value={filters.pivotBy === 'labels' ? `label:${filters.pivotLabel}` : filters.pivotBy || 'none'}
        onChange={(choice) => setFilters(pivotOf(choice))}
        options={[
          { value: 'none', label: 'None' },
          { value: 'namespace', label: 'Namespace' },
          { value: 'agent_id', label: 'Agent' },
          ...labelKeys.map((key) => ({ value: `label:${key}`, label: key })),
        ]}
      />
      {filters.pivotBy !== '' && (
        <Select
          aria-label="Pivot cells show"
          prefix="Cells"
          value={filters.pivotCellType}
          onChange={(pivotCellType) => setFilters({ pivotCellType })}
          options={pivotCellTypes.map((value) => ({ value, label: value[0]!.toUpperCase() + value.slice(1) }))}
        />
      )}
    </Popover>
  )
}

const pivotOf = (choice: string): Partial<Filters> =>
  choice.startsWith('label:')
    ? { pivotBy: 'labels', pivotLabel: choice.slice('label:'.length) }
    : { pivotBy: choice === 'none' ? '' : choice, pivotLabel: '' }

function Counts({ counts }: { counts: StateCounts }) {
  return (
    <p
      className="flex items-center gap-3 text-sm tabular-nums"
      aria-label={`${counts.pass} pass, ${counts.fail} fail, ${counts.other} unknown`}
    >
      <Count mark={<HealthMark health="healthy" label="pass" />} count={counts.pass} />
      <Count mark={<HealthMark health="unhealthy" label="fail" />} count={counts.fail} />
      {counts.other > 0 && <Count mark={<HealthMark health="unknown" label="unknown" />} count={counts.other} />}
    </p>
  )
}
const Count = ({ mark, count }: { mark: ReactNode; count: number }) => (
  <span className="flex items-center gap-1">
    {mark}
    {count.toLocaleString('en-US')}
  </span>
)
