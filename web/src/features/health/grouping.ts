import { aggregate, type Aggregate, checkState, type CheckState, type CheckSummary } from './check.ts'

/** Checks that belong together under a name, or one check alone. */
export interface CheckBundle {
  key: string
  name: string
  checks: CheckSummary[]
}

/** A bundle with what its checks add up to. */
export interface CheckGroup extends CheckBundle {
  aggregate: Aggregate
  uptime: { passed: number; failed: number }
  /** Highest 95th percentile among the checks: a group is as slow as its slowest. */
  latency: number | undefined
  lastTransition: string | undefined
  lastRun: string | undefined
}

export const noGroup = 'no-group'
export const groupByChoices = [noGroup, 'canary_name', 'name', 'description', 'type'] as const

/** Name under which a check is listed when grouped this way; a name with a slash belongs to what stands before it. */
export function groupOf(check: CheckSummary, groupBy: string): string | undefined {
  switch (groupBy) {
    case noGroup:
      return undefined
    case 'canary_name':
      return check.canary_name
    case 'type':
      return check.type
    case 'description':
      return check.description
    case 'name': {
      const slash = check.name.indexOf('/')
      return slash > 0 ? check.name.slice(0, slash) : check.name
    }
    default:
      return check.labels?.[groupBy]
  }
}

const byName = new Intl.Collator(undefined, { numeric: true })

/** Checks without the thing they are grouped by stay single. A group of one is shown as its check. */
export function groupChecks(checks: readonly CheckSummary[], groupBy: string): CheckBundle[] {
  const groups = new Map<string, CheckSummary[]>()
  const single: CheckBundle[] = []
  for (const check of checks) {
    const name = groupOf(check, groupBy)
    if (!name) {
      single.push({ key: check.id, name: check.name, checks: [check] })
      continue
    }
    const known = groups.get(name)
    if (known) known.push(check)
    else groups.set(name, [check])
  }
  const named = [...groups].map(([name, list]) => ({ key: `group:${name}`, name, checks: list }))
  return [...named.sort((one, two) => byName.compare(one.name, two.name)), ...single]
}

/** Adds up the checks of a bundle. Only for those that are shown as a group: of ten thousand checks most stand alone. */
export function totalled({ key, name, checks }: CheckBundle, now: number): CheckGroup {
  const passed = sum(checks, (check) => check.uptime?.passed)
  const failed = sum(checks, (check) => check.uptime?.failed)
  const latencies = checks.flatMap((check) => check.latency?.p95 ?? [])
  return {
    key,
    name,
    checks,
    aggregate: aggregate(checks, now),
    uptime: { passed, failed },
    latency: latencies.length > 0 ? Math.max(...latencies) : undefined,
    lastTransition: newest(checks.map((check) => check.last_transition_time)),
    lastRun: newest(checks.map((check) => check.last_runtime)),
  }
}

const sum = (checks: readonly CheckSummary[], value: (check: CheckSummary) => number | undefined): number =>
  checks.reduce((total, check) => total + (value(check) ?? 0), 0)
const newest = (times: readonly (string | undefined)[]): string | undefined =>
  times.reduce((last, time) => (time && (!last || time > last) ? time : last), undefined)

export const allTab = 'All'
export const noneTab = 'none'

/** The tab a check belongs to. `agents` gives names to agent ids; the local server has none. */
export function tabOf(check: CheckSummary, tabBy: string, agents: Readonly<Record<string, string>> = {}): string {
  if (tabBy === 'namespace') return check.namespace || noneTab
  if (tabBy === 'agent_id') return check.agent_id ? (agents[check.agent_id] ?? check.agent_id) : 'local'
  return check.labels?.[tabBy] || noneTab
}

export interface Tab {
  name: string
  total: number
  failing: number
}

/** All first, then the others by name. */
export function tabsOf(
  checks: readonly CheckSummary[],
  tabBy: string,
  agents?: Readonly<Record<string, string>>,
): Tab[] {
  const counts = new Map<string, Tab>()
  const all: Tab = { name: allTab, total: 0, failing: 0 }
  for (const check of checks) {
    const name = tabOf(check, tabBy, agents)
    let tab = counts.get(name)
    if (!tab) counts.set(name, (tab = { name, total: 0, failing: 0 }))
    const failing = check.status === 'unhealthy' ? 1 : 0
    for (const each of [tab, all]) {
      each.total += 1
      each.failing += failing
    }
  }
  return [all, ...[...counts.values()].sort((one, two) => byName.compare(one.name, two.name))]
}

export interface StateCounts {
  pass: number
  fail: number
  /** Neither: never run, paused, stale, or behind an agent that is away. */
  other: number
  byState: Record<CheckState, number>
}

/** How many pass and fail; what nobody knows counts as neither. */
export function countStates(checks: readonly CheckSummary[], now: number): StateCounts {
  const byState: Record<CheckState, number> = {
    healthy: 0,
    unhealthy: 0,
    unknown: 0,
    paused: 0,
    stale: 0,
    'agent-offline': 0,
  }
  for (const check of checks) byState[checkState(check, now)] += 1
  const { healthy: pass, unhealthy: fail } = byState
  return { pass, fail, other: checks.length - pass - fail, byState }
}

export interface LabelChoice {
  key: string
  values: string[]
}

/** Every label key with its values, both in order, for the filter panel. */
export function labelChoices(checks: readonly CheckSummary[]): LabelChoice[] {
  const keys = new Map<string, Set<string>>()
  for (const check of checks) {
    for (const [key, value] of Object.entries(check.labels ?? {})) {
      const values = keys.get(key)
      if (values) values.add(value)
      else keys.set(key, new Set([value]))
    }
  }
  return [...keys]
    .map(([key, values]) => ({ key, values: [...values].sort(byName.compare) }))
    .sort((one, two) => byName.compare(one.key, two.key))
}

/** Labels that only say yes or no get a tri-state switch instead of a list. */
export const isBooleanLabel = (values: readonly string[]): boolean =>
  values.every((value) => value === 'true' || value === 'false')
