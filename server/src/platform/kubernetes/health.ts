import { fromConditions } from './conditions.ts'
import { conditionTables, crossplaneRules } from './condition-tables.ts'
import { conditionsOf, type HealthStatus, type KubernetesObject, record, time, word } from './object.ts'
import { podHealth } from './pod-health.ts'
import { workloadHealth } from './workload-health.ts'

const hour = 3_600_000

/** How an object is, by the rules of its kind. */
export function healthOf(object: KubernetesObject, now: number): HealthStatus {
  const deleted = time(record(object.metadata).deletionTimestamp)
  if (deleted !== undefined && now - deleted > hour) {
    const since = new Date(deleted).toISOString()
    return { health: 'unhealthy', status: 'TerminatingStalled', ready: false, message: `terminating since ${since}` }
  }
  const kind = word(object.kind)
  const group = word(object.apiVersion).includes('/') ? word(object.apiVersion).split('/')[0]! : ''
  if (kind === 'Pod' && group === '') return podHealth(object, now)
  const workload = workloadHealth(object, kind, group)
  if (workload) return workload
  const rules = conditionTables[`${group}/${kind}`] ?? (isCrossplane(group) ? crossplaneRules : undefined)
  if (rules) return withCertificateDates(object, group, now, fromConditions(conditionsOf(object), rules))
  return { health: 'unknown', status: 'Unknown', ready: true, message: '' }
}

const isCrossplane = (group: string) => group.endsWith('.crossplane.io') || group.endsWith('.upbound.io')

/** A certificate that should have been renewed, or is about to end, is worth a warning whatever its conditions say. */
function withCertificateDates(object: KubernetesObject, group: string, now: number, found: HealthStatus): HealthStatus {
  if (group !== 'cert-manager.io') return found
  const status = record(object.status)
  const renewal = time(status.renewalTime)
  const end = time(status.notAfter)
  if (found.health === 'unhealthy') return found
  if (end !== undefined && end - now < hour) {
    return {
      ...found,
      health: 'warning',
      status: end < now ? 'Expired' : 'Expiring',
      message: `valid until ${new Date(end).toISOString()}`,
    }
  }
  if (renewal !== undefined && now - renewal > hour / 12) {
    return { ...found, health: 'warning', message: `should have been renewed at ${new Date(renewal).toISOString()}` }
  }
  return found
}
