import { formatUptime, plural } from '@/lib/format.ts'
import { Age } from '@/ui/age.tsx'
import { Millis } from '@/ui/figures.tsx'
import { HealthBar } from '@/ui/health-bar.tsx'
import { MiddleText } from '@/ui/middle-text.tsx'
import { type Health, HealthMark, Status } from '@/ui/status.tsx'
import type { Column } from '@/ui/table/column.ts'
import { type CheckState, checkState, type CheckSummary, showsAge, weekMs } from '../check.ts'
import { type CheckBundle, type CheckGroup, countStates, totalled } from '../grouping.ts'

/** A line of the dashboard: a group that opens, or one check. */
export type HealthRow =
  | { kind: 'group'; key: string; group: CheckGroup; children: HealthRow[] }
  | { kind: 'check'; key: string; check: CheckSummary }

/** Groups of one check are shown as that check, so nothing has to be opened to see it. */
export function rowsOf(bundles: readonly CheckBundle[], now: number): HealthRow[] {
  return bundles.map((bundle) => {
    const [first] = bundle.checks
    if (bundle.checks.length === 1 && first) return { kind: 'check', key: first.id, check: first }
    const children = bundle.checks.map((check): HealthRow => ({ kind: 'check', key: check.id, check }))
    return { kind: 'group', key: bundle.key, group: totalled(bundle, now), children }
  })
}

export const stateHealth: Record<CheckState, Health> = {
  healthy: 'healthy',
  unhealthy: 'unhealthy',
  unknown: 'unknown',
  paused: 'unknown',
  stale: 'unknown',
  'agent-offline': 'unknown',
}
export const stateWord: Record<CheckState, string> = {
  healthy: 'Healthy',
  unhealthy: 'Unhealthy',
  unknown: 'Never run',
  paused: 'Paused',
  stale: 'Stale',
  'agent-offline': 'Agent offline',
}

/** Worst first when sorted downwards: failing, then unknown, then passing. */
const healthRank = (row: HealthRow, now: number): number => {
  if (row.kind === 'group') return { good: 0, unknown: 1, mixed: 1.5, bad: 2 }[row.group.aggregate]
  const state = checkState(row.check, now)
  return state === 'healthy' ? 0 : state === 'unhealthy' ? 2 : 1
}
const uptimeOf = (row: HealthRow) => (row.kind === 'group' ? row.group.uptime : row.check.uptime)
const uptimeShare = (row: HealthRow): number | undefined => {
  const uptime = uptimeOf(row)
  const total = (uptime?.passed ?? 0) + (uptime?.failed ?? 0)
  return uptime && total > 0 ? uptime.passed / total : undefined
}
const latencyOf = (row: HealthRow): number | undefined =>
  row.kind === 'group' ? row.group.latency : row.check.latency?.p95
export const aggregateHealth = { good: 'healthy', bad: 'unhealthy', mixed: 'warning', unknown: 'unknown' } as const

/** The columns of the dashboard; `now` decides what is stale. */
export function checkColumns(now: number): Column<HealthRow>[] {
  return [
    {
      id: 'name',
      header: 'Checks',
      grow: true,
      minSize: 220,
      required: true,
      value: (row) => (row.kind === 'group' ? row.group.name : row.check.name),
      cell: (row) =>
        row.kind === 'group' ? <GroupName group={row.group} /> : <CheckName check={row.check} now={now} />,
    },
    {
      id: 'health',
      header: 'Health',
      size: 200,
      value: (row) => healthRank(row, now),
      cell: (row) =>
        row.kind === 'group' ? (
          <GroupHealth group={row.group} now={now} />
        ) : (
          <CheckHealth check={row.check} now={now} />
        ),
    },
    {
      id: 'uptime',
      header: 'Uptime',
      size: 110,
      align: 'right',
      hint: 'Share of passed runs in the last hour',
      value: uptimeShare,
      cell: (row) => (uptimeShare(row) === undefined ? <None /> : <UptimeFigure uptime={uptimeOf(row)!} />),
    },
    {
      id: 'latency',
      header: 'Latency',
      size: 110,
      align: 'right',
      hint: '95th percentile of the last hour; of a group, its slowest check',
      value: latencyOf,
      cell: (row) => (latencyOf(row) === undefined ? <None /> : <Millis ms={latencyOf(row)} />),
    },
    {
      id: 'transition',
      header: 'Transition',
      size: 120,
      align: 'right',
      hint: 'When the state last changed',
      cell: (row) => <Age value={row.kind === 'group' ? row.group.lastTransition : row.check.last_transition_time} />,
    },
  ]
}

const None = () => <span className="text-subtle">–</span>

function UptimeFigure({ uptime }: { uptime: { passed: number; failed: number } }) {
  return (
    <span className="tabular-nums" title={`${plural(uptime.passed, 'run')} passed, ${uptime.failed} failed`}>
      {formatUptime(uptime)}
    </span>
  )
}

function GroupName({ group }: { group: CheckGroup }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <HealthMark health={aggregateHealth[group.aggregate]} label={group.aggregate} />
      <MiddleText text={group.name} className="font-medium" />
      <span className="shrink-0 text-xs text-subtle tabular-nums">{group.checks.length}</span>
    </span>
  )
}

function CheckName({ check, now }: { check: CheckSummary; now: number }) {
  const state = checkState(check, now)
  return (
    <span className="flex min-w-0 items-center gap-2">
      <HealthMark health={stateHealth[state]} label={stateWord[state]} />
      <MiddleText text={check.name} />
      <span className="shrink-0 text-xs text-subtle">{check.type}</span>
      {check.description && <span className="min-w-0 truncate text-xs text-subtle">{check.description}</span>}
    </span>
  )
}

function GroupHealth({ group, now }: { group: CheckGroup; now: number }) {
  const { pass, fail, other } = countStates(group.checks, now)
  // Bars of one length can be compared, however many figures follow.
  return <HealthBar counts={{ healthy: pass, unhealthy: fail, unknown: other }} figures className="*:first:max-w-20" />
}

function CheckHealth({ check, now }: { check: CheckSummary; now: number }) {
  const state = checkState(check, now)
  return (
    <span className="flex items-center gap-2">
      <Status health={stateHealth[state]}>{stateWord[state]}</Status>
      {showsAge(check.last_runtime, now, weekMs) && (
        <Age value={check.last_runtime} suffix=" ago" className="text-xs text-subtle" />
      )}
    </span>
  )
}
