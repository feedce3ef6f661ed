import type { Condition, Health, HealthStatus } from './object.ts'

/** What one condition says about the object. */
export interface Rule {
  health?: Health
  ready?: boolean
  status?: string
  /** The condition's message is shown. */
  message?: boolean
  /** When several conditions compete, the highest wins status and message. */
  order?: number
  onFalse?: Rule
  onUnknown?: Rule
  reasons?: Record<string, Rule>
}

const weight: Record<Health, number> = { unknown: 0, healthy: 1, warning: 2, unhealthy: 3 }

function ruleFor(rule: Rule, condition: Condition): Rule {
  const { reasons, onFalse, onUnknown, ...whenTrue } = rule
  const byReason = reasons?.[condition.reason ?? '']
  let base: Rule
  if (condition.status === 'True') base = whenTrue
  else if (condition.status === 'False') {
    // A condition that means healthy says the opposite when it is false.
    base =
      onFalse ??
      (rule.health === 'healthy'
        ? { health: 'unhealthy', message: true, ready: rule.ready === true ? false : undefined }
        : {})
  } else base = onUnknown ?? {}
  return { order: rule.order, ...base, ...byReason }
}

/** Reads an object's conditions by a table of rules. */
export function fromConditions(conditions: Condition[], rules: Record<string, Rule>): HealthStatus {
  const result: HealthStatus = { health: 'unknown', ready: false, status: '', message: '' }
  let statusOrder = -1
  let messageOrder = -1
  let refused = false
  for (const condition of conditions) {
    const rule = rules[condition.type ?? '']
    if (!rule) continue
    const said = ruleFor(rule, condition)
    const order = said.order ?? 0
    if (said.health && weight[said.health] > weight[result.health]) result.health = said.health
    if (said.ready === true) result.ready = true
    if (said.ready === false) refused = true
    const status = said.status ?? (said.health ? (condition.reason ?? '') : '')
    if (status !== '' && order > statusOrder) {
      result.status = status
      statusOrder = order
    }
    const tells = said.message || (said.health !== undefined && said.health !== 'healthy')
    if (tells && condition.message && order > messageOrder) {
      result.message = condition.message
      messageOrder = order
    }
  }
  if (refused) result.ready = false
  return result
}
