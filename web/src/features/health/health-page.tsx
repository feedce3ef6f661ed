import { defaultHealthRange, healthRangeMinutes } from '@quarterdeck/contract/time-range'
import { useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '@/app/paths.ts'
import { useCan } from '@/api/access.tsx'
import { useStored } from '@/lib/storage.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { Drawer } from '@/ui/drawer.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { DataTable } from '@/ui/table/data-table.tsx'
import { useNow } from '@/ui/use-now.ts'
import { type CheckSummary, isPassing } from './check.ts'
import { CardSkeletons, CheckCards } from './components/check-cards.tsx'
import { checkColumns, type HealthRow, rowsOf } from './components/check-columns.tsx'
import { CheckPivot } from './components/check-pivot.tsx'
import { FilterPanel } from './components/filter-panel.tsx'
import { HealthTabs } from './components/health-tabs.tsx'
import { HealthToolbar } from './components/health-toolbar.tsx'
import { filterChecks } from './filtering.ts'
import { allTab, countStates, groupChecks, labelChoices, tabOf, tabsOf } from './grouping.ts'
import { healthFilters } from './health.filters.ts'
import { agentNamesQuery, summaryQuery } from './health.queries.ts'
import { rememberSettings, useRememberedSettings } from './health-settings.ts'
import { pivotChecks } from './pivot.ts'
import { allowedRate, readRate, refreshMs, refreshRateKey } from './refresh-rate.ts'
import { useAutoRefresh } from './use-auto-refresh.ts'

// The drawer brings charts, the editor and YAML; the list does not wait for them.
const loadDrawer = () => import('./check-drawer/check-drawer.tsx').then((module) => ({ default: module.CheckDrawer }))
const CheckDrawer = lazy(loadDrawer)
const fetchDrawer = () => void loadDrawer().catch(() => {})
/** The first seconds belong to the list. */
const drawerAfterMs = 1_500

export function HealthPage() {
  const [filters, setFilters] = useFilters(healthFilters)
  const [storedRate, storeRate] = useStored<string>(refreshRateKey, 'None')
  const rate = allowedRate(readRate(storedRate), healthRangeMinutes(filters.timeRange ?? defaultHealthRange))
  const { data: checks, error, isFetching, refetch } = useQuery(summaryQuery)
  useAutoRefresh(refetch, refreshMs(rate), filters.timeRange)
  useRememberedSettings()
  useDrawerWhenIdle()
  const [isPanelOpen, setPanelOpen] = useState(false)
  // What is stale changes slowly; a coarse clock keeps the whole table from rendering every second.
  const now = useNow(30_000)

  const change = useCallback(
    (next: Parameters<typeof setFilters>[0]) => {
      setFilters(next)
      rememberSettings({ ...filters, ...next })
    },
    [filters, setFilters],
  )
  const open = useCallback((check: CheckSummary) => setFilters({ checkId: check.id }, { push: true }), [setFilters])

  const isByAgent = filters.tabBy === 'agent_id'
  const agentIds = useMemo(() => (isByAgent && checks ? agentsOf(checks) : []), [checks, isByAgent])
  const { data: agents } = useQuery(agentNamesQuery(agentIds))
  // The choices of the filters come a moment after the rows, which are what somebody waits for.
  const settled = useDeferredValue(checks)
  const choices = useMemo(() => settled && labelChoices(settled), [settled])
  const labelKeys = useMemo(() => (choices ?? []).map(({ key }) => key), [choices])

  const query = useDeferredValue(filters.query)
  const matching = useMemo(
    () => filterChecks(checks ?? [], { query, labels: filters.labels }),
    [checks, query, filters.labels],
  )
  const tabs = useMemo(() => tabsOf(matching, filters.tabBy, agents), [matching, filters.tabBy, agents])
  const tab = tabs.some(({ name }) => name === filters.tab) ? filters.tab : allTab
  const inTab = useMemo(
    () => (tab === allTab ? matching : matching.filter((check) => tabOf(check, filters.tabBy, agents) === tab)),
    [matching, tab, filters.tabBy, agents],
  )
  const shown = useMemo(
    () => (filters.hidePassing ? inTab.filter((check) => !isPassing(check, now)) : inTab),
    [inTab, filters.hidePassing, now],
  )
  // So do the totals.
  const counted = useDeferredValue(checks && inTab)
  const counts = useMemo(() => counted && countStates(counted, now), [counted, now])

  const panel = (
    <FilterPanel
      choices={choices}
      hidePassing={filters.hidePassing}
      onHidePassing={(hidePassing) => change({ hidePassing })}
      labels={filters.labels}
      onLabels={(labels) => change({ labels })}
    />
  )

  return (
    <div className="flex h-full min-w-0">
      <aside
        aria-label="Filters"
        className="hidden w-60 shrink-0 overflow-y-auto border-r border-line bg-surface p-4 lg:block"
      >
        {panel}
      </aside>
      <Drawer open={isPanelOpen} onOpenChange={setPanelOpen} title="Filters" size="small" side="left">
        {panel}
      </Drawer>
      <div className="flex min-w-0 flex-1 flex-col">
        <HealthToolbar
          filters={filters}
          setFilters={change}
          labelKeys={labelKeys}
          counts={counts}
          rate={rate}
          onRate={storeRate}
          onShowPanel={() => setPanelOpen(true)}
        />
        <HealthTabs tabs={tabs} value={tab} onChange={(name) => setFilters({ tab: name })} />
        <Checks
          checks={checks && shown}
          total={inTab.length}
          isFiltered={checks !== undefined && checks.length > inTab.length}
          filters={filters}
          now={now}
          error={checks ? undefined : error}
          isFetching={isFetching}
          onRetry={() => void refetch()}
          onOpen={open}
          onSort={(sort) => setFilters({ sort })}
          onShowPassing={() => change({ hidePassing: false })}
          onClear={() => change({ query: '', labels: {}, tab: '' })}
        />
      </div>
      {filters.checkId && (
        <Suspense fallback={null}>
          <CheckDrawer
            key={filters.checkId}
            id={filters.checkId}
            range={filters.timeRange}
            onRange={(timeRange) => setFilters({ timeRange })}
            onClose={() => setFilters({ checkId: undefined, timeRange: '1h' })}
          />
        </Suspense>
      )}
    </div>
  )
}

const agentsOf = (checks: readonly CheckSummary[]): string[] =>
  [...new Set(checks.flatMap((check) => check.agent_id ?? []))].sort()

/** What a click opens is there when it is clicked. */
function useDrawerWhenIdle(): void {
  useEffect(() => {
    const timer = setTimeout(fetchDrawer, drawerAfterMs)
    return () => clearTimeout(timer)
  }, [])
}

interface ChecksProps {
  checks: readonly CheckSummary[] | undefined
  total: number
  /** Search, labels or a tab leave something out. */
  isFiltered: boolean
  filters: ReturnType<typeof healthFilters.read>
  now: number
  error: unknown
  isFetching: boolean
  onRetry: () => void
  onOpen: (check: CheckSummary) => void
  onSort: (sort: ReturnType<typeof healthFilters.read>['sort']) => void
  onShowPassing: () => void
  onClear: () => void
}

function Checks({
  checks,
  total,
  isFiltered,
  filters,
  now,
  error,
  isFetching,
  onRetry,
  onOpen,
  onSort,
  onShowPassing,
  onClear,
}: ChecksProps) {
  const columns = useMemo(() => checkColumns(now), [now])
  const groups = useMemo(() => checks && groupChecks(checks, filters.groupBy), [checks, filters.groupBy])
  const rows = useMemo(() => groups && rowsOf(groups, now), [groups, now])
  const pivot = useMemo(
    () =>
      checks && filters.pivotBy
        ? pivotChecks(checks, filters.groupBy, filters.pivotBy, filters.pivotLabel, now)
        : undefined,
    [checks, filters.groupBy, filters.pivotBy, filters.pivotLabel, now],
  )
  const hidden = filters.hidePassing ? total : 0
  const empty = <NoChecks {...{ hidden, isFiltered, onShowPassing, onClear }} />
  if (pivot && pivot.rows.length > 0)
    return <CheckPivot pivot={pivot} cellType={filters.pivotCellType} onOpen={onOpen} />
  if (filters.layout === 'card' && !checks && !error) return <CardSkeletons />
  if (filters.layout === 'card' && groups)
    return groups.length > 0 ? <CheckCards groups={groups} now={now} onOpen={onOpen} /> : empty
  return (
    <DataTable<HealthRow>
      id="health"
      label="Health checks"
      columns={columns}
      rows={rows}
      rowId={(row) => row.key}
      subRows={(row) => (row.kind === 'group' ? row.children : undefined)}
      sort={filters.sort}
      onSortChange={onSort}
      error={error}
      onRetry={onRetry}
      isFetching={isFetching}
      selectedId={filters.checkId}
      onRowClick={(row) => row.kind === 'check' && onOpen(row.check)}
      onRowIntent={fetchDrawer}
      empty={empty}
    />
  )
}

function NoChecks({
  hidden,
  isFiltered,
  onShowPassing,
  onClear,
}: Pick<ChecksProps, 'isFiltered' | 'onShowPassing' | 'onClear'> & { hidden: number }) {
  const canAdd = useCan('write', 'canaries')
  if (hidden > 0) {
    return (
      <EmptyState icon={Activity} title="Everything passes">
        {hidden.toLocaleString('en-US')} passing checks are hidden.{' '}
        <TextButton onClick={onShowPassing}>Show them</TextButton>
      </EmptyState>
    )
  }
  if (isFiltered) {
    return (
      <EmptyState icon={Activity} title="No check matches">
        No check has all of what is searched and filtered for.{' '}
        <TextButton onClick={onClear}>Clear the filters</TextButton>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={Activity} title="No checks here">
      Health checks ask your systems how they are, on a schedule.{' '}
      {canAdd && (
        <Link className="text-accent-text underline" to={paths.settingsTable('canaries')}>
          Add a check
        </Link>
      )}
    </EmptyState>
  )
}

const TextButton = ({ onClick, children }: { onClick: () => void; children: string }) => (
  <button type="button" className="text-accent-text underline" onClick={onClick}>
    {children}
  </button>
)
