import {
  conditionsOf,
  count,
  type Health,
  type HealthStatus,
  type KubernetesObject,
  record,
  records,
  time,
  word,
} from './object.ts'

const minute = 60_000

interface Container {
  ready: boolean
  restarts: number
  waiting: string
  waitingMessage: string
  startedAt: number | undefined
  terminated: Termination | undefined
  last: Termination | undefined
}

interface Termination {
  reason: string
  message: string
  exitCode: number
  finishedAt: number | undefined
}

function termination(value: unknown): Termination | undefined {
  if (value === undefined || value === null) return undefined
  const { reason, message, exitCode, finishedAt } = record(value)
  return { reason: word(reason), message: word(message), exitCode: count(exitCode), finishedAt: time(finishedAt) }
}

function containers(value: unknown): Container[] {
  return records(value).map((status) => {
    const state = record(status.state)
    return {
      ready: status.ready === true,
      restarts: count(status.restartCount),
      waiting: word(record(state.waiting).reason),
      waitingMessage: word(record(state.waiting).message),
      startedAt: time(record(state.running).startedAt),
      terminated: termination(state.terminated),
      last: termination(record(status.lastState).terminated),
    }
  })
}

const isError = (reason: string) => reason.startsWith('Err') || reason.endsWith('Error') || reason.endsWith('BackOff')

const found = (health: Health, status: string, ready: boolean, message = ''): HealthStatus => ({
  health,
  status,
  ready,
  message,
})

export function podHealth(pod: KubernetesObject, now: number): HealthStatus {
  const status = record(pod.status)
  const message = word(status.message)
  const deleted = time(record(pod.metadata).deletionTimestamp)
  if (deleted !== undefined)
    return found(now - deleted > 15 * minute ? 'warning' : 'unknown', 'Terminating', false, message)
  if (word(status.reason) === 'Evicted') return found('warning', 'Evicted', true, message)
  const all = containers(status.containerStatuses)
  const always = (word(record(pod.spec).restartPolicy) || 'Always') === 'Always'
  if (always) {
    const stuck = all.find(({ waiting }) => isError(waiting))
    if (stuck) return found('unhealthy', stuck.waiting, false, stuck.waitingMessage || stuck.last?.message || message)
  }
  switch (word(status.phase)) {
    case 'Pending':
      return pending(pod, message)
    case 'Succeeded':
      return found('healthy', 'Completed', true, message)
    case 'Failed':
      return found('unhealthy', 'Error', true, failureMessage(message, all))
    case 'Running':
      return running(pod, all, always, now, message)
    default:
      return found('unknown', word(status.phase) || 'Unknown', false, message)
  }
}

function pending(pod: KubernetesObject, message: string): HealthStatus {
  for (const { waiting, waitingMessage, terminated } of containers(record(pod.status).initContainerStatuses)) {
    if (isError(waiting)) return found('unhealthy', waiting, false, waitingMessage)
    if (terminated && terminated.exitCode !== 0)
      return found('unhealthy', terminated.reason || 'Error', false, terminated.message)
  }
  const unschedulable = conditionsOf(pod).find(({ reason }) => reason === 'Unschedulable')
  if (unschedulable) return found('unhealthy', 'Unschedulable', false, unschedulable.message ?? '')
  return found('unknown', 'Pending', false, message)
}

function failureMessage(message: string, all: Container[]): string {
  if (message) return message
  for (const { terminated } of all) {
    if (!terminated) continue
    if (terminated.message) return terminated.message
    if (terminated.reason === 'OOMKilled') return 'OOMKilled'
    if (terminated.exitCode !== 0) return `exit code ${terminated.exitCode}`
  }
  return ''
}

function running(pod: KubernetesObject, all: Container[], always: boolean, now: number, message: string): HealthStatus {
  const ready = conditionsOf(pod).some((condition) => condition.type === 'Ready' && condition.status === 'True')
  if (!always) return found(ready ? 'healthy' : 'unhealthy', 'Running', ready, message)
  if (ready) {
    for (const { restarts, startedAt, last } of all) {
      if (restarts <= 2 || !last || startedAt === undefined || now - startedAt >= 240 * minute) continue
      const ago = now - (last.finishedAt ?? startedAt)
      const health = ago < 30 * minute ? 'unhealthy' : ago < 480 * minute ? 'warning' : undefined
      if (!health) continue
      const reason = last.reason && last.reason !== 'Completed' ? last.reason : 'Running'
      return found(health, reason, false, last.message)
    }
    return found('healthy', 'Running', true, message)
  }
  const ended = all.find(({ last }) => last !== undefined)
  if (ended?.last) return found('unhealthy', ended.last.reason || 'Error', false, ended.last.message || message)
  if (all.length > 0 && all.every((container) => container.ready)) return found('warning', 'Running', false, message)
  return found('unknown', 'Starting', false, message)
}
