import { KubernetesCheck } from '@quarterdeck/contract/checks/kubernetes'
import { healthOf } from '../../../platform/kubernetes/health.ts'
import type { CheckKind } from '../kind.ts'
import { clusterOf, nameOf, namespaceOf, shown } from './cluster.ts'
import { globPattern } from './support.ts'

export const kubernetes: CheckKind<KubernetesCheck> = {
  key: 'kubernetes',
  schema: KubernetesCheck,
  templatable: true,
  endpoint: (spec) => spec.kind,
  timeoutMs: () => 60_000,
  async run(run, spec) {
    const cluster = await clusterOf(run, spec)
    const { signal } = run
    const resource = await cluster.resourceOf(spec.kind, undefined, signal)
    const { name, ...selectors } = spec.resource ?? {}
    const wanted = { ...selectors, signal } as { labelSelector?: string; fieldSelector?: string; signal: AbortSignal }
    const namespaces = await namespacesOf()
    const found = (
      await Promise.all(namespaces.map((namespace) => cluster.list(resource, { ...wanted, namespace })))
    ).flat()
    const ignored = (spec.ignore ?? []).map(globPattern)
    const now = Date.now()
    const results = found
      .filter((object) => (!name || nameOf(object) === name) && !ignored.some((glob) => glob.test(nameOf(object))))
      .map((object) => ({ ...object, healthStatus: healthOf(object, now) }))
    const errors: string[] = []
    if (results.length === 0 && !spec.test) errors.push(`no ${spec.kind} was found`)
    for (const { healthStatus, ...object } of results) {
      const words = healthStatus.message ? `: ${healthStatus.message}` : ''
      if (spec.healthy && healthStatus.health !== 'healthy')
        errors.push(`${shown(object)} is ${healthStatus.health}${words}`)
      else if (spec.ready && !healthStatus.ready) errors.push(`${shown(object)} is not ready${words}`)
    }
    return { pass: errors.length === 0, errors, detail: results, message: `${results.length} found` }

    /** One undefined stands for all namespaces. */
    async function namespacesOf(): Promise<(string | undefined)[]> {
      const selector = spec.namespaceSelector
      if (!selector || !resource.namespaced) return [undefined]
      const { labelSelector, fieldSelector } = selector
      if (!labelSelector && !fieldSelector) return [selector.name || undefined]
      const list = await cluster.list(await cluster.resourceOf('Namespace', 'v1', signal), {
        labelSelector,
        fieldSelector,
        signal,
      })
      const names = list.map((each) => nameOf(each) || namespaceOf(each))
      return selector.name ? names.filter((each) => each === selector.name) : names
    }
  },
}
