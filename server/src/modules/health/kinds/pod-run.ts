import type { Cluster } from '../../../platform/kubernetes/client.ts'
import { conditionsOf, type KubernetesObject, record, records, word } from '../../../platform/kubernetes/object.ts'
import type { CheckRun, Outcome } from '../kind.ts'
import { apply, nameOf, pause, read, remove, until } from './cluster.ts'
import { exchange, httpUrl, userAgent } from '../../../platform/clients/http.ts'

/** The fields pod and namespace checks share; times are milliseconds. */
export interface PodRunSpec {
  schedule_timeout?: number
  scheduleTimeout?: number
  readyTimeout?: number
  httpTimeout?: number
  deleteTimeout?: number
  ingressTimeout?: number
  httpRetryInterval?: number
  port?: number
  path?: string
  ingressName?: string
  ingressHost?: string
  ingressClass?: string
  expectedContent?: string
  expectedHttpStatuses?: number[]
  priorityClass?: string
}

const lookEvery = 500
const labelKey = 'quarterdeck.io/check-run'

/** Starts a pod, asks it over HTTP when the check says so, and removes it: each phase within its own time. */
export async function runPod(
  run: CheckRun,
  cluster: Cluster,
  given: KubernetesObject,
  spec: PodRunSpec,
  namespace: string,
): Promise<Outcome> {
  const name = `${nameOf(given) || 'check'}-${Date.now().toString(36)}`
  const labels = { ...(record(record(given.metadata).labels) as Record<string, string>), [labelKey]: name }
  const priority = spec.priorityClass ? { priorityClassName: spec.priorityClass } : {}
  const pod: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...record(given.metadata), name, namespace, labels },
    spec: { ...record(given.spec), ...priority },
  }
  const made: KubernetesObject[] = []
  const times: Record<string, number> = {}
  const phase = async (key: string, work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    times[key] = Math.round(performance.now() - started)
  }
  try {
    made.push(pod)
    await apply(run, cluster, pod)
    const see = (what: string, timeoutMs: number, holds: (now: KubernetesObject) => boolean) =>
      until(run, { timeoutMs, everyMs: lookEvery, what }, async () => {
        const now = (await read(run, cluster, pod)) ?? {}
        const failed = records(record(now.status).containerStatuses).find(
          (each) => record(record(each.state).waiting).reason === 'ErrImagePull',
        )
        if (failed) throw new Error(`the image of ${word(failed.name)} cannot be pulled`)
        return holds(now) ? true : undefined
      })
    const condition = (type: string) => (now: KubernetesObject) =>
      conditionsOf(now).some((each) => each.type === type && each.status === 'True')
    await phase('schedule', () =>
      see('scheduling the pod', spec.scheduleTimeout ?? spec.schedule_timeout ?? 60_000, condition('PodScheduled')),
    )
    await phase('ready', () => see('waiting for the pod to be ready', spec.readyTimeout ?? 120_000, condition('Ready')))
    if (spec.port || spec.ingressHost) {
      for (const object of exposed(name, namespace, spec)) {
        made.push(object)
        await apply(run, cluster, object)
      }
      await phase('http', () => askUntilRight(run, cluster, spec, name, namespace))
    }
    await phase('delete', async () => {
      for (const object of made.toReversed()) await remove(run, cluster, object)
      const gone = async () => ((await read(run, cluster, pod)) ? undefined : true)
      await until(run, { timeoutMs: spec.deleteTimeout ?? 60_000, everyMs: lookEvery, what: 'deleting the pod' }, gone)
    })
    made.length = 0
    return {
      pass: true,
      detail: times,
      message: Object.entries(times)
        .map(([key, ms]) => `${key} ${ms} ms`)
        .join(', '),
    }
  } finally {
    const signal = AbortSignal.timeout(30_000)
    for (const object of made.toReversed()) await remove(run, cluster, object, signal).catch(() => undefined)
  }
}

/** A service for the pod and, when a host is named, an ingress for the service. */
function exposed(name: string, namespace: string, spec: PodRunSpec): KubernetesObject[] {
  const port = spec.port ?? 80
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: { [labelKey]: name }, ports: [{ port, targetPort: port }] },
  }
  if (!spec.ingressHost) return [service]
  const backend = { service: { name, port: { number: port } } }
  const ingress = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: spec.ingressName ?? name, namespace },
    spec: {
      ...(spec.ingressClass ? { ingressClassName: spec.ingressClass } : {}),
      rules: [{ host: spec.ingressHost, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
    },
  }
  return [service, ingress]
}

async function askUntilRight(
  run: CheckRun,
  cluster: Cluster,
  spec: PodRunSpec,
  name: string,
  namespace: string,
): Promise<void> {
  const path = `/${(spec.path ?? '').replace(/^\//, '')}`
  const limit = spec.ingressHost
    ? (spec.ingressTimeout ?? 5000) + (spec.httpTimeout ?? 5000)
    : (spec.httpTimeout ?? 5000)
  const end = performance.now() + limit
  for (;;) {
    const problem = await ask().catch((error: Error) => error.message)
    if (problem === undefined) return
    if (performance.now() >= end) throw new Error(`no good answer within ${limit} ms: ${problem}`)
    await pause(run, spec.httpRetryInterval ?? 750)
  }

  async function ask(): Promise<string | undefined> {
    const wanted = spec.expectedHttpStatuses?.length ? spec.expectedHttpStatuses : [200]
    let content: string
    if (spec.ingressHost) {
      const url = httpUrl(`http://${spec.ingressHost}${path}`, 'ingressHost')
      const answer = await exchange(run, { url, headers: { 'user-agent': userAgent }, fresh: true, wanted })
      if (!wanted.includes(answer.code)) return `code ${answer.code}`
      content = answer.body.toString('utf8')
    } else {
      // Without an ingress the pod is reached through the API server.
      const proxy = `/api/v1/namespaces/${namespace}/services/${name}:${spec.port ?? 80}/proxy${path}`
      content = await cluster.text('GET', proxy, undefined, { signal: run.signal })
    }
    return spec.expectedContent && !content.includes(spec.expectedContent) ? 'the answer has other content' : undefined
  }
}
