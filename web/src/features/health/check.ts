/** A check as the health summary sends it, as far as the dashboard shows it. */
export interface CheckSummary {
  id: string
  name: string
  type: string
  canary_name: string
  namespace?: string
  description?: string
  status?: string
  labels?: Record<string, string>
  endpoint?: string
  agent_id?: string
  agent_last_seen?: string
  uptime?: { passed: number; failed: number }
  latency?: { p95?: number }
  last_runtime?: string
  next_runtime?: string
  last_transition_time?: string
  suspended?: boolean
}

/** What a person should see of a check. Only `healthy` is green: nothing unknown ever is. */
export type CheckState = 'healthy' | 'unhealthy' | 'unknown' | 'paused' | 'stale' | 'agent-offline'

/** An agent heard from within this time is online. */
const agentOnlineMs = 61_000
/** A run may be late by its own length again before the check counts as stale, and never by less than this. */
const staleGraceMs = 5 * 60_000

/** The state of a check at a moment, with the reasons to distrust its last result first. */
export function checkState(check: CheckSummary, now: number): CheckState {
  if (check.suspended) return 'paused'
  if (!check.status) return 'unknown'
  if (check.agent_id && check.agent_last_seen && now - Date.parse(check.agent_last_seen) > agentOnlineMs)
    return 'agent-offline'
  if (isStale(check, now)) return 'stale'
  return check.status === 'healthy' ? 'healthy' : 'unhealthy'
}

/** Its next run is overdue by more than one period: nobody has looked for a while. */
function isStale(check: CheckSummary, now: number): boolean {
  if (!check.next_runtime || !check.last_runtime) return false
  const due = Date.parse(check.next_runtime)
  if (now <= due + staleGraceMs) return false
  const period = Math.max(due - Date.parse(check.last_runtime), 0)
  return now > due + period
}

/** Passed, and may still be trusted: what nobody has looked at since is not hidden with what passes. */
export const isPassing = (check: CheckSummary, now: number): boolean =>
  check.status === 'healthy' && checkState(check, now) === 'healthy'

export type DotColor = 'red' | 'gray' | 'orange' | 'green'

/** Colour of the dot for any word of state, groups included. */
export function dotColor(status: string | undefined): DotColor {
  switch (status?.toLowerCase()) {
    case 'unhealthy':
    case 'degraded':
    case 'missing':
    case 'bad':
      return 'red'
    case undefined:
    case '':
    case 'unknown':
    case 'suspended':
    case 'paused':
    case 'stale':
    case 'agent-offline':
      return 'gray'
    case 'warning':
    case 'warn':
    case 'mixed':
      return 'orange'
    default:
      return 'green'
  }
}

export type Aggregate = 'good' | 'bad' | 'mixed' | 'unknown'

/**
 * A group is good when all its checks are healthy, bad when all are unhealthy, mixed otherwise. When nothing is known
 * of any of them, be they paused, stale or never run, nothing is known of the group: it is not good because it once was.
 */
export function aggregate(checks: readonly CheckSummary[], now: number): Aggregate {
  const states = checks.map((check) => checkState(check, now))
  if (states.every((state) => state === 'healthy')) return 'good'
  if (states.every((state) => state === 'unhealthy')) return 'bad'
  return states.some((state) => state === 'healthy' || state === 'unhealthy') ? 'mixed' : 'unknown'
}

const hourMs = 3_600_000

/** Age of the last run, shown only when it is more than an hour ago; `maxMs` hides what is older still. */
export function showsAge(lastRun: string | undefined, now: number, maxMs = Number.POSITIVE_INFINITY): boolean {
  if (!lastRun) return false
  const age = now - Date.parse(lastRun)
  return age > hourMs && age < maxMs
}
export const weekMs = 7 * 24 * hourMs
