import { NamespaceCheck } from '@quarterdeck/contract/checks/namespace'
import { record } from '../../../platform/kubernetes/object.ts'
import type { CheckKind } from '../kind.ts'
import { apply, clusterOf, objectOf, remove } from './cluster.ts'
import { runPod } from './pod-run.ts'

/** Makes a namespace, runs a pod in it, and removes both. */
export const namespace: CheckKind<NamespaceCheck> = {
  key: 'namespace',
  schema: NamespaceCheck,
  templatable: false,
  concurrency: 2,
  isHeavy: true,
  endpoint: (spec) => spec.name,
  timeoutMs: (spec) => spec.deadline || 10 * 60_000,
  async run(run, spec) {
    const cluster = await clusterOf(run, spec)
    const pod = objectOf(spec.podSpec, 'podSpec')
    const name = `${spec.namespaceNamePrefix ?? 'quarterdeck-'}${Date.now().toString(36)}`
    const made = {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: spec.namespaceLabels ?? {}, annotations: spec.namespaceAnnotations ?? {} },
    }
    await apply(run, cluster, made)
    try {
      return await runPod(
        run,
        cluster,
        pod.kind === 'Pod' ? pod : { metadata: {}, spec: record(pod.spec ?? pod) },
        spec,
        name,
      )
    } finally {
      await remove(run, cluster, made, AbortSignal.timeout(30_000))
    }
  },
}
