import { PodCheck } from '@quarterdeck/contract/checks/pod'
import { record } from '../../../platform/kubernetes/object.ts'
import type { CheckKind } from '../kind.ts'
import { clusterOf, nameOf, objectOf } from './cluster.ts'
import { runPod } from './pod-run.ts'

/** Where the last run of each check went, for those that take the nodes in turn. */
const turns = new Map<string, number>()

export const pod: CheckKind<PodCheck> = {
  key: 'pod',
  schema: PodCheck,
  templatable: false,
  concurrency: 2,
  isHeavy: true,
  endpoint: (spec) => spec.name,
  timeoutMs: (spec) => spec.deadline || 10 * 60_000,
  async run(run, spec) {
    const cluster = await clusterOf(run, spec)
    const given = objectOf(spec.spec, 'spec')
    const object = given.kind === 'Pod' ? given : { metadata: {}, spec: record(given.spec ?? given) }
    if (spec.roundRobinNodes) {
      const nodes = await cluster.list(await cluster.resourceOf('Node', 'v1', run.signal), { signal: run.signal })
      const turn = (turns.get(run.check.id) ?? -1) + 1
      turns.set(run.check.id, turn)
      const node = nodes[turn % Math.max(1, nodes.length)]
      if (node) object.spec = { ...record(object.spec), nodeName: nameOf(node) }
    }
    const { namespace } = spec
    const place = typeof namespace === 'string' ? namespace : namespace?.name
    return runPod(run, cluster, object, spec, place || run.canary.namespace)
  },
}
