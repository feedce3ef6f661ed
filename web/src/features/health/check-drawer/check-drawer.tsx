import { type HealthRange, healthRangeForAge, healthRanges } from '@quarterdeck/contract/time-range'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Pencil, Play } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { stringify } from 'yaml'
import { useAccess } from '@/api/access.tsx'
import { paths } from '@/app/paths.ts'
import { formatNumber, formatSpan, formatUptime } from '@/lib/format.ts'
import { Age } from '@/ui/age.tsx'
import { Badge } from '@/ui/badge.tsx'
import { Button, buttonClass } from '@/ui/button.tsx'
import { CodeViewer } from '@/ui/code/code-editor.tsx'
import { Drawer } from '@/ui/drawer.tsx'
import { EmptyState } from '@/ui/empty-state.tsx'
import { ErrorPanel } from '@/ui/error-panel.tsx'
import { Millis } from '@/ui/figures.tsx'
import { Icon } from '@/ui/icons/icon.tsx'
import { Select } from '@/ui/select.tsx'
import { Skeleton } from '@/ui/skeleton.tsx'
import { StatRow, StatTile } from '@/ui/stat-tile.tsx'
import { TabPanel, Tabs } from '@/ui/tabs.tsx'
import { TagList } from '@/ui/tag-list.tsx'
import { useNow } from '@/ui/use-now.ts'
import { healthKeys } from '../health.queries.ts'
import { canaryQuery, type CheckDetail, type CheckGraph, checkQuery, graphQuery, useRunCheck } from './check.queries.ts'
import { HealthOverview } from './health-overview.tsx'
import { HistoryTab } from './history-tab.tsx'
import { RelationshipsTab, relationsOf } from './relationships-tab.tsx'
import { useShortScreen } from './use-short-screen.ts'

/** A password in an address is nothing to show around. */
const withoutPassword = (address: string | undefined): string | undefined =>
  address?.replace(/(:\/\/[^:/@]*):[^@/]*@/, '$1:***@')

const nilAgent = '00000000-0000-0000-0000-000000000000'

interface CheckDrawerProps {
  id: string
  /** From the address; without it the range follows the age of the last run. */
  range: HealthRange | undefined
  onRange: (range: HealthRange) => void
  onClose: () => void
}

/** One check in full: figures, chart, history, definition, relations, and what can be done with it. */
export function CheckDrawer({ id, range, onRange, onClose }: CheckDrawerProps) {
  const {
    data: check,
    error,
    isPending,
    refetch,
  } = useQuery({
    ...checkQuery(id),
    refetchInterval: ({ state }) => untilNextRun(state.data?.next_runtime),
  })
  useFollowRuns(id, check?.last_runtime)
  return (
    <Drawer
      open
      size="full"
      onOpenChange={(open) => !open && onClose()}
      title={check?.name ?? 'Check'}
      header={check ? <Header check={check} /> : undefined}
      footer={check ? <Footer check={check} /> : undefined}
      bodyClassName="flex flex-col gap-4 p-5"
    >
      {isPending && <Skeleton className="h-40" />}
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {check === null && <EmptyState title="This check no longer exists" />}
      {check && <Body check={check} range={range ?? rangeOf(check)} onRange={onRange} />}
    </Drawer>
  )
}

/** The live stream tells of flips, not of every run; an open drawer looks again when the next run should be stored. */
function untilNextRun(nextRun: string | null | undefined): number | false {
  if (!nextRun) return false
  return Math.min(Math.max(Date.parse(nextRun) + 1500 - Date.now(), 10_000), 60_000)
}

/** A new run is also a new line of the history and a new point of the chart. */
function useFollowRuns(id: string, lastRun: string | null | undefined): void {
  const queries = useQueryClient()
  const seen = useRef(lastRun)
  useEffect(() => {
    const isNew = seen.current && lastRun && seen.current !== lastRun
    seen.current = lastRun
    if (!isNew) return
    for (const part of ['graph', 'history'])
      void queries.invalidateQueries({ queryKey: [...healthKeys.check(id), part] })
  }, [queries, id, lastRun])
}

/** Wide enough to show the last run. */
function rangeOf(check: CheckDetail): HealthRange {
  if (!check.last_runtime) return healthRangeForAge(0)
  return healthRangeForAge((Date.now() - Date.parse(check.last_runtime)) / 60_000)
}

function Header({ check }: { check: CheckDetail }) {
  const endpoint = withoutPassword(check.spec?.url ?? check.spec?.endpoint)
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex min-w-0 items-center gap-2">
        <Icon name={check.icon ?? check.type} size={20} />
        <h2 className="truncate text-base font-semibold">{check.name}</h2>
        {check.namespace && <Badge>{check.namespace}</Badge>}
        {check.agents && check.agent_id !== nilAgent && <Badge tone="accent">{check.agents.name}</Badge>}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        {endpoint && <span className="truncate text-sm text-muted">{endpoint}</span>}
        <TagList tags={check.labels} max={4} wrap />
      </div>
    </div>
  )
}

function Body({
  check,
  range,
  onRange,
}: {
  check: CheckDetail
  range: HealthRange
  onRange: (range: HealthRange) => void
}) {
  const [chosen, setTab] = useState('history')
  const isShort = useShortScreen()
  // The tab goes away when the window grows while it is open.
  const tab = chosen === 'graph' && !isShort ? 'history' : chosen
  const relations = relationsOf(check)
  const { data: graph, error, dataUpdatedAt } = useQuery(graphQuery(check.id, range))
  return (
    <>
      <Tiles check={check} graph={graph} range={range} onRange={onRange} />
      {!isShort && <HealthOverview graph={graph} range={range} at={dataUpdatedAt} error={error} />}
      <Tabs
        aria-label="About this check"
        value={tab}
        onChange={setTab}
        className="flex min-h-96 flex-1 flex-col"
        tabs={[
          { value: 'history', label: 'History' },
          ...(isShort ? [{ value: 'graph', label: 'Graph' }] : []),
          { value: 'spec', label: 'Spec' },
          { value: 'relationships', label: 'Relationships', count: relations.length },
        ]}
      >
        <TabPanel value="history" className="flex min-h-0 flex-1 flex-col">
          <HistoryTab id={check.id} range={range} />
        </TabPanel>
        {isShort && (
          <TabPanel value="graph" className="pt-3">
            <HealthOverview graph={graph} range={range} at={dataUpdatedAt} error={error} />
          </TabPanel>
        )}
        <TabPanel value="spec">
          <SpecTab check={check} />
        </TabPanel>
        <TabPanel value="relationships" className="flex min-h-0 flex-1 flex-col">
          <RelationshipsTab relations={relations} />
        </TabPanel>
      </Tabs>
    </>
  )
}

interface TilesProps {
  check: CheckDetail
  graph: CheckGraph | undefined
  range: HealthRange
  onRange: (range: HealthRange) => void
}

function Tiles({ check, graph, range, onRange }: TilesProps) {
  const now = useNow(1000)
  const passed = graph?.uptime.passed ?? 0
  const failed = graph?.uptime.failed ?? 0
  const { p95, p97, p99 } = graph?.latency ?? {}
  // A run that is just being stored is not late.
  const isOverdue = check.next_runtime !== null && Date.parse(check.next_runtime) < now - 15_000
  return (
    <StatRow>
      <StatTile label="Uptime" hint={graph ? `${passed} passed, ${failed} failed` : undefined}>
        {passed + failed > 0 ? formatUptime({ passed, failed }) : '–'}
      </StatTile>
      <StatTile label="Latency (95/97/99)">
        <Latencies values={[p95, p97, p99]} />
      </StatTile>
      <StatTile label="Severity">{check.severity ?? check.spec?.severity ?? '–'}</StatTile>
      <StatTile label="Last Run">
        <Age value={check.last_runtime} suffix=" ago" empty="never" />
      </StatTile>
      <StatTile label="Transitioned">
        <Age value={check.last_transition_time} suffix=" ago" empty="–" />
      </StatTile>
      <StatTile label="Next Run" hint={<Punctuality graph={graph} />}>
        {isOverdue ? <Overdue>due</Overdue> : <NextRun at={check.next_runtime} now={now} />}
      </StatTile>
      <StatTile label="Time Range">
        <Select
          aria-label="Time Range"
          value={range}
          onChange={onRange}
          options={healthRanges.map(({ label }) => ({ value: label, label }))}
        />
      </StatTile>
    </StatRow>
  )
}

const Overdue = ({ children }: { children: ReactNode }) => <span className="text-warn-text">{children}</span>

function Latencies({ values }: { values: (number | undefined)[] }) {
  if (values.every((value) => !value)) return <>–</>
  return (
    <span className="inline-flex gap-2">
      {values.map((value, index) => (
        <span key={index} className="inline-flex gap-2">
          {index > 0 && <span className="font-normal text-subtle">/</span>}
          <Millis ms={value} />
        </span>
      ))}
    </span>
  )
}

function NextRun({ at, now }: { at: string | null; now: number }) {
  if (!at) return <>not scheduled</>
  const seconds = Math.max(0, Math.round((Date.parse(at) - now) / 1000))
  return (
    <span title={new Date(at).toLocaleString()}>
      {seconds === 0 ? 'now' : `in ${formatSpan(seconds * 1000, seconds < 600 ? 1 : 2)}`}
    </span>
  )
}

/** How well the engine kept this check's times. */
function Punctuality({ graph }: { graph: CheckGraph | undefined }) {
  const lag = graph?.lag_p99 ?? undefined
  const missed = graph?.missed ?? 0
  const words = [
    lag !== undefined && `starts within ${lag < 1000 ? `${lag} ms` : `${(lag / 1000).toFixed(1)} s`}`,
    missed > 0 && `${formatNumber(missed)} missed`,
  ].filter(Boolean)
  if (words.length === 0) return null
  return <span title="99th percentile of how late runs started, and runs that did not happen">{words.join(', ')}</span>
}

function SpecTab({ check }: { check: CheckDetail }) {
  if (!check.spec)
    return (
      <EmptyState title="No definition of its own">
        This check is made by the transform of another one. Its canary, {check.canaries?.name ?? 'unknown'}, says how.
      </EmptyState>
    )
  return <CodeViewer value={stringify(check.spec)} language="yaml" aria-label="Spec" />
}

function Footer({ check }: { check: CheckDetail }) {
  const { canRunChecks } = useAccess()
  const run = useRunCheck(check.id)
  return (
    <div className="flex w-full flex-wrap items-center gap-2">
      <SourceLink canaryId={check.canary_id} />
      <span className="flex-1" />
      {canRunChecks && (
        <Button variant="primary" icon={Play} loading={run.isPending} onClick={() => run.mutate()}>
          Run Now
        </Button>
      )}
    </div>
  )
}

/** Where the definition lives: in the console it can be edited, elsewhere its source is named. */
function SourceLink({ canaryId }: { canaryId: string }) {
  const { data: canary } = useQuery(canaryQuery(canaryId))
  if (!canary) return null
  const { source } = canary
  if (source?.startsWith('component/')) {
    return (
      <Link className={buttonClass({})} to={paths.component(source.slice('component/'.length))}>
        Defined by a component
      </Link>
    )
  }
  if (source && source !== 'UI')
    return (
      <span className="text-sm text-muted">
        Defined in{' '}
        {source.startsWith('kubernetes') ? `a Kubernetes resource (${canary.namespace}/${canary.name})` : source}
      </span>
    )
  return (
    <Link className={buttonClass({})} to={paths.canary(canary.id)}>
      <Pencil aria-hidden className="size-4" /> Edit
    </Link>
  )
}
