import { fromConditions } from './conditions.ts'
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

const found = (health: Health, status: string, ready: boolean, message = ''): HealthStatus => ({
  health,
  status,
  ready,
  message,
})

const observed = (object: KubernetesObject) =>
  count(record(object.status).observedGeneration) >= count(record(object.metadata).generation)

function deployment(object: KubernetesObject): HealthStatus {
  const spec = record(object.spec)
  const status = record(object.status)
  const wanted = spec.replicas === undefined ? 1 : count(spec.replicas)
  const [have, ready, updated] = [count(status.replicas), count(status.readyReplicas), count(status.updatedReplicas)]
  const result = fromConditions(conditionsOf(object), {
    ReplicaFailure: { health: 'unhealthy', message: true, order: 3, onFalse: {} },
    Progressing: {
      status: 'Running',
      ready: true,
      onFalse: { status: 'Rolling Out', ready: false, message: true },
      reasons: {
        ProgressDeadlineExceeded: {
          status: 'Rollout Failed',
          health: 'unhealthy',
          ready: false,
          message: true,
          order: 4,
        },
      },
    },
    Available: { health: 'healthy', onFalse: { health: 'unhealthy', message: true, order: 2 } },
  })
  if (wanted === 0 && have === 0) return found('unknown', 'Scaled to Zero', true)
  if (spec.paused === true) return { ...result, status: 'Suspended', ready: false }
  const failed = result.status === 'Rollout Failed'
  if (ready > 0 && !failed) result.status = 'Running'
  if (result.health !== 'unhealthy') {
    const moving =
      ready < wanted ? 'Starting' : updated < wanted ? 'Rolling Out' : have > wanted ? 'Scaling Down' : undefined
    if (moving) Object.assign(result, { status: moving, ready: false })
  }
  const pods = `${ready} of ${wanted} pods ready${updated < wanted ? `, ${updated} updated` : ''}`
  return {
    ...result,
    status: result.status || 'Starting',
    message: result.message ? `${pods}, ${result.message}` : pods,
  }
}

function statefulSet(object: KubernetesObject): HealthStatus {
  const status = record(object.status)
  const wanted = record(object.spec).replicas === undefined ? 1 : count(record(object.spec).replicas)
  const [have, ready, updated] = [count(status.replicas), count(status.readyReplicas), count(status.updatedReplicas)]
  if (wanted === 0 && have === 0) return found('unknown', 'Scaled to Zero', true)
  const health = ready === 0 ? 'unhealthy' : updated === 0 ? 'warning' : 'healthy'
  const rolling = ready < wanted || updated < wanted || !observed(object)
  return found(health, rolling ? 'Rolling Out' : 'Running', !rolling, `${ready} of ${wanted} pods ready`)
}

function daemonSet(object: KubernetesObject): HealthStatus {
  const status = record(object.status)
  const wanted = count(status.desiredNumberScheduled)
  const available = count(status.numberAvailable)
  if (observed(object) && count(status.updatedNumberScheduled) === wanted) return found('healthy', 'Running', true)
  const health = available >= wanted ? 'healthy' : available > 0 ? 'warning' : 'unhealthy'
  const onDelete = word(record(record(object.spec).updateStrategy).type) === 'OnDelete'
  return found(health, onDelete ? 'Running' : 'Rolling Out', onDelete, `${available} of ${wanted} pods available`)
}

function replicaSet(object: KubernetesObject): HealthStatus {
  const status = record(object.status)
  const wanted = record(object.spec).replicas === undefined ? 1 : count(record(object.spec).replicas)
  const [have, ready] = [count(status.replicas), count(status.readyReplicas)]
  if (wanted === 0 && have === 0) return found('unknown', 'Scaled to Zero', true)
  const health = ready >= wanted ? 'healthy' : ready > 0 ? 'warning' : 'unhealthy'
  const failure = conditionsOf(object).find(({ type, status: state }) => type === 'ReplicaFailure' && state === 'True')
  const pods = `${ready} of ${wanted} pods ready`
  if (have === wanted && ready === wanted && observed(object)) return found(health, 'Running', true, pods)
  if (failure) return found(health, 'Error', false, failure.message ?? pods)
  return found(health, have > wanted ? 'Scaling Down' : 'Scaling Up', false, pods)
}

function job(object: KubernetesObject): HealthStatus {
  const held = (type: string) =>
    conditionsOf(object).find((condition) => condition.type === type && condition.status === 'True')
  const failed = held('Failed')
  if (failed) return found('unhealthy', 'Error', true, failed.message ?? '')
  if (held('Complete')) return found('healthy', 'Completed', true)
  if (held('Suspended')) return found('unknown', 'Suspended', false)
  return found('healthy', 'Running', false)
}

function cronJob(object: KubernetesObject): HealthStatus {
  const status = record(object.status)
  const scheduled = time(status.lastScheduleTime)
  const succeeded = time(status.lastSuccessfulTime)
  if (record(object.spec).suspend === true) return found('unknown', 'Suspended', true)
  if (scheduled === undefined) return found('unknown', '', true)
  if (records(status.active).length > 0) return found('healthy', 'Running', false)
  if (succeeded === undefined) return found('unhealthy', 'Error', false)
  if (succeeded < scheduled) return found('unhealthy', 'Error', true)
  return found('healthy', 'Completed', true)
}

function service(object: KubernetesObject): HealthStatus {
  if (word(record(object.spec).type) !== 'LoadBalancer') return found('unknown', '', true)
  const entries = records(record(record(object.status).loadBalancer).ingress)
  return entries.length > 0 ? found('healthy', 'Running', true) : found('unknown', 'Creating', false)
}

function ingress(object: KubernetesObject): HealthStatus {
  const entries = record(record(object.status).loadBalancer).ingress
  if (!Array.isArray(entries)) return found('healthy', 'Pending', false)
  return entries.length > 0 ? found('healthy', '', true) : found('unknown', 'Pending', false)
}

function volumeClaim(object: KubernetesObject): HealthStatus {
  switch (word(record(object.status).phase)) {
    case 'Bound':
      return found('healthy', 'Bound', true)
    case 'Pending':
      return found('healthy', 'Progressing', false)
    case 'Lost':
      return found('unhealthy', 'Degraded', false)
    default:
      return found('unknown', word(record(object.status).phase) || 'Unknown', false)
  }
}

const scalerErrors = ['FailedGetScale', 'FailedUpdateScale', 'FailedGetResourceMetric', 'InvalidSelector']
function autoscaler(object: KubernetesObject): HealthStatus {
  const all = conditionsOf(object)
  const failed = all.find(({ reason }) => scalerErrors.includes(reason ?? ''))
  if (failed) return found('unhealthy', 'Degraded', false, failed.message ?? '')
  const works = all.find(
    ({ type, status }) => (type === 'AbleToScale' || type === 'ScalingLimited') && status === 'True',
  )
  return works ? found('healthy', 'Healthy', true, works.message ?? '') : found('healthy', 'Progressing', false)
}

function node(object: KubernetesObject): HealthStatus {
  const taint = records(record(object.spec).taints).find(
    ({ key, effect }) => key === 'node.kubernetes.io/unschedulable' && effect === 'NoSchedule',
  )
  if (taint) return found('warning', 'Unschedulable', true)
  for (const condition of conditionsOf(object)) {
    if (condition.status !== 'True') continue
    if (condition.type === 'Ready') return found('healthy', 'Healthy', true)
    return found('unhealthy', 'Degraded', false, condition.message ?? '')
  }
  return found('unknown', 'Unknown', false)
}

function namespace(object: KubernetesObject): HealthStatus {
  const phase = word(record(object.status).phase)
  return phase === 'Active' ? found('unknown', 'Healthy', true) : found('unknown', phase || 'Unknown', phase === '')
}

function argoWorkflow(object: KubernetesObject): HealthStatus {
  const { phase, message } = record(object.status)
  switch (word(phase)) {
    case '':
    case 'Pending':
      return found('unknown', 'Progressing', false, word(message))
    case 'Running':
      return found('healthy', 'Progressing', true, word(message))
    case 'Succeeded':
      return found('healthy', 'Succeeded', true, word(message))
    case 'Failed':
    case 'Error':
      return found('unhealthy', word(phase), true, word(message))
    default:
      return found('unknown', word(phase), false, word(message))
  }
}

function argoApplication(object: KubernetesObject): HealthStatus {
  const { health, sync } = record(object.status)
  const status = word(record(health).status)
  const mapped = ({ Healthy: 'healthy', Degraded: 'unhealthy' } as const)[status as 'Healthy' | 'Degraded'] ?? 'unknown'
  return found(mapped, status || 'Unknown', word(record(sync).status) === 'Synced', word(record(health).message))
}

const kinds: Record<string, (object: KubernetesObject) => HealthStatus> = {
  'apps/Deployment': deployment,
  'apps/StatefulSet': statefulSet,
  'apps/DaemonSet': daemonSet,
  'apps/ReplicaSet': replicaSet,
  'batch/Job': job,
  'batch/CronJob': cronJob,
  '/Service': service,
  'networking.k8s.io/Ingress': ingress,
  'extensions/Ingress': ingress,
  '/PersistentVolumeClaim': volumeClaim,
  'autoscaling/HorizontalPodAutoscaler': autoscaler,
  '/Node': node,
  '/Namespace': namespace,
  'argoproj.io/Workflow': argoWorkflow,
  'argoproj.io/Application': argoApplication,
}

/** Kinds with rules of their own; undefined for all others. */
export function workloadHealth(object: KubernetesObject, kind: string, group: string): HealthStatus | undefined {
  return kinds[`${group}/${kind}`]?.(object)
}
