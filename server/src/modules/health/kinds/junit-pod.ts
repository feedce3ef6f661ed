import type { JunitCheck } from '@quarterdeck/contract/checks/junit'
import type { Cluster } from '../../../platform/kubernetes/client.ts'
import { type KubernetesObject, record, records, word } from '../../../platform/kubernetes/object.ts'
import type { CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { apply, clusterOf, read, remove, until } from './cluster.ts'

const volume = 'junit-results'
const helperImage = 'busybox:1.36'
const mark = '=== quarterdeck file '

/**
 * Runs the tests in a pod whose results folder is shared with a helper that only waits. When the tests have ended, an
 * ephemeral container prints the files, and they are read from its log: plain requests all the way.
 */
export async function junitPod(run: CheckRun, spec: JunitCheck): Promise<{ path: string; content: Buffer }[]> {
  const cluster = await clusterOf(run, {})
  const given = record(spec.spec)
  const tests = records(given.containers)
  if (tests.length === 0) throw new InvalidCheck('spec has no containers')
  const mount = { name: volume, mountPath: spec.testResults }
  const pod: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `junit-${Date.now().toString(36)}`,
      namespace: run.canary.namespace,
      labels: { 'canaries.flanksource.com/check-id': run.check.id },
    },
    spec: {
      ...given,
      restartPolicy: 'Never',
      volumes: [...records(given.volumes), { name: volume, emptyDir: {} }],
      containers: [
        ...tests.map((each) => ({ ...each, volumeMounts: [...records(each.volumeMounts), mount] })),
        {
          name: 'keep-results',
          image: helperImage,
          command: ['sleep', String((spec.timeout + 1) * 60)],
          volumeMounts: [mount],
        },
      ],
    },
  }
  await apply(run, cluster, pod)
  try {
    const names = new Set(tests.map((each) => word(each.name)))
    const limit = { timeoutMs: spec.timeout * 60_000, everyMs: 2000, what: 'the tests' }
    await until(run, limit, async () => {
      const statuses = records(record((await read(run, cluster, pod))?.status).containerStatuses)
      const ended = statuses.filter((each) => names.has(word(each.name)) && record(each.state).terminated)
      return ended.length === names.size ? true : undefined
    })
    return await results(run, cluster, pod, mount)
  } finally {
    const isKept = run.canary.annotations?.skipDelete === 'true'
    if (!isKept) await remove(run, cluster, pod, AbortSignal.timeout(30_000)).catch(() => undefined)
  }
}

async function results(
  run: CheckRun,
  cluster: Cluster,
  pod: KubernetesObject,
  mount: object,
): Promise<{ path: string; content: Buffer }[]> {
  const { name, namespace } = record(pod.metadata) as Record<'name' | 'namespace', string>
  const base = `/api/v1/namespaces/${namespace}/pods/${name}`
  const script = `cd "$0" && find . -type f -size -10000k | while read -r f; do echo "${mark}$f"; base64 "$f"; done`
  const folder = (mount as { mountPath: string }).mountPath
  const printer = {
    name: 'print-results',
    image: helperImage,
    command: ['sh', '-c', script, folder],
    volumeMounts: [mount],
  }
  await cluster.request(
    'PATCH',
    `${base}/ephemeralcontainers`,
    { spec: { ephemeralContainers: [printer] } },
    {
      signal: run.signal,
      patch: 'application/strategic-merge-patch+json',
    },
  )
  await until(run, { timeoutMs: 60_000, everyMs: 500, what: 'reading the results' }, async () => {
    const statuses = records(record((await read(run, cluster, pod))?.status).ephemeralContainerStatuses)
    return statuses.some((each) => record(each.state).terminated) ? true : undefined
  })
  return printedFiles(
    await cluster.text('GET', `${base}/log?container=print-results`, undefined, { signal: run.signal }),
  )
}

export function printedFiles(log: string): { path: string; content: Buffer }[] {
  return log
    .split(mark)
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n')
      return { path: part.slice(0, end).replace(/^\.\//, ''), content: Buffer.from(part.slice(end), 'base64') }
    })
}
