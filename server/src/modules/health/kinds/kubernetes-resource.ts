import { KubernetesResourceCheck } from '@quarterdeck/contract/checks/kubernetes-resource'
import type { Cluster } from '../../../platform/kubernetes/client.ts'
import { healthOf } from '../../../platform/kubernetes/health.ts'
import { type KubernetesObject, record } from '../../../platform/kubernetes/object.ts'
import { sharedExpressions } from '../../../platform/expressions/expressions.ts'
import { templateStruct } from '../../../platform/expressions/struct-template.ts'
import { readProperties } from '../../../platform/properties.ts'
import { planCanary } from '../canary.ts'
import type { CheckKind, CheckRun } from '../kind.ts'
import { evaluatorOver } from '../run/evaluator.ts'
import { InvalidCheck, runCheck } from '../run/run-check.ts'
import { apply, clusterOf, namespaceOf, objectOf, pause, read, remove, until } from './cluster.ts'
import { durationOf } from './support.ts'

const minute = 60_000
const allReady = 'resources.all(r, r.ready)'

const waitMs = (spec: KubernetesResourceCheck): number =>
  durationOf(spec.waitFor?.timeout, 'waitFor.timeout') ?? 10 * minute
const retryMs = (spec: KubernetesResourceCheck): number =>
  durationOf(spec.checkRetries?.timeout, 'checkRetries.timeout') ?? 0

/** Applies resources, waits for them, runs the checks inside, and removes what it made. */
export const kubernetesResource: CheckKind<KubernetesResourceCheck> = {
  key: 'kubernetesResource',
  type: 'kubernetes_resource',
  schema: KubernetesResourceCheck,
  templatable: true,
  concurrency: 5,
  isHeavy: true,
  endpoint: (spec) => spec.name,
  timeoutMs: (spec) => waitMs(spec) * (spec.waitFor?.delete ? 2 : 1) + retryMs(spec) + 3 * minute,
  async run(run, spec) {
    const cluster = await clusterOf(run, spec)
    const fixed = await prepare(run, spec.staticResources ?? [], true)
    const own = await prepare(run, spec.resources, false)
    const most =
      Number(run.ctx.db ? (await readProperties(run.ctx)).get('checks.kubernetesResource.maxResources') : 0) || 10
    if (fixed.length + own.length > most)
      throw new InvalidCheck(`${fixed.length + own.length} resources, more than the ${most} that one check may make`)
    if (spec.clearResources) await removeAll(run, cluster, own, spec)
    try {
      for (const object of [...fixed, ...own]) await apply(run, cluster, object)
      if (!spec.waitFor?.disable) await waitForAll(run, cluster, [...fixed, ...own], spec)
      const errors = await nestedChecks(run, spec)
      return { pass: errors.length === 0, errors, detail: { resources: own.length + fixed.length } }
    } finally {
      await removeAll(run, cluster, own, spec)
    }
  },
}

async function prepare(run: CheckRun, list: readonly unknown[], isStatic: boolean): Promise<KubernetesObject[]> {
  const { canary, check } = run
  const env = {
    canary: { name: canary.name, namespace: canary.namespace, labels: canary.labels, id: canary.id },
    check: { name: check.name, id: check.id },
  }
  const marks: Record<string, string> = {
    'canaries.flanksource.com/canary-id': canary.id,
    'canaries.flanksource.com/check-id': check.id,
    ...(isStatic ? { 'canaries.flanksource.com/is-static': 'true' } : {}),
  }
  const made: KubernetesObject[] = []
  for (const raw of list) {
    const object = await templateStruct(sharedExpressions(), objectOf(raw, 'resources'), env).catch((error: Error) => {
      throw new InvalidCheck(`resources: ${error.message}`)
    })
    const metadata = record(object.metadata)
    const namespace = namespaceOf(object) || canary.namespace
    made.push({ ...object, metadata: { ...metadata, namespace, labels: { ...record(metadata.labels), ...marks } } })
  }
  return made
}

async function waitForAll(
  run: CheckRun,
  cluster: Cluster,
  objects: KubernetesObject[],
  spec: KubernetesResourceCheck,
): Promise<void> {
  const everyMs = durationOf(spec.waitFor?.interval, 'waitFor.interval') ?? 5000
  await until(run, { timeoutMs: waitMs(spec), everyMs, what: 'waiting for the resources' }, async () => {
    const seen = await Promise.all(objects.map((object) => read(run, cluster, object)))
    const resources = seen.map((object) => {
      const health = object
        ? healthOf(object, Date.now())
        : { health: 'unknown', status: 'Missing', ready: false, message: '' }
      return { ...object, ...health, healthStatus: health }
    })
    return (await sharedExpressions().isTrue({ expr: spec.waitFor?.expr || allReady }, { resources }))
      ? true
      : undefined
  })
}

/** Runs the checks inside until all pass or there is no time left to try again. */
async function nestedChecks(run: CheckRun, spec: KubernetesResourceCheck): Promise<string[]> {
  const { checkKinds } = await import('./index.ts')
  const kinds = new Map(checkKinds.map((kind) => [kind.key, kind]))
  const planned = (spec.checks ?? []).flatMap((raw) => {
    const row = { ...run.canary, annotations: null, source: null, spec: raw as Record<string, unknown> }
    const { checks, problems } = planCanary(row, kinds)
    if (problems.length > 0) throw new InvalidCheck(`checks: ${problems.join(', ')}`)
    return checks
  })
  const delay = durationOf(spec.checkRetries?.delay, 'checkRetries.delay')
  const everyMs = durationOf(spec.checkRetries?.interval, 'checkRetries.interval') ?? 5000
  const end = performance.now() + retryMs(spec)
  if (delay) await pause(run, delay)
  for (;;) {
    const errors: string[] = []
    for (const { kind, spec: inner, problem, name, type, labels } of planned) {
      if (!kind || !inner || problem) throw new InvalidCheck(`checks: ${name}: ${problem ?? 'it cannot run'}`)
      const identity = { id: run.check.id, name, type, labels, endpoint: kind.endpoint(inner) }
      const deps = { ctx: run.ctx, evaluator: evaluatorOver(sharedExpressions(), run.ctx.db) }
      const results = await runCheck(
        deps,
        run.canary,
        { kind, spec: inner, identity },
        { stop: run.signal, lastResult: async () => ({}) },
      )
      for (const result of results)
        if (!result.pass) errors.push(`${name}: ${result.error ?? result.message ?? 'failed'}`)
    }
    if (errors.length === 0 || performance.now() + everyMs > end) return errors
    await pause(run, everyMs)
  }
}

/** Cleans up in its own time: the check may be over when it begins. */
async function removeAll(
  run: CheckRun,
  cluster: Cluster,
  objects: KubernetesObject[],
  spec: KubernetesResourceCheck,
): Promise<void> {
  const signal = AbortSignal.timeout(minute)
  const problems = await Promise.all(
    objects.toReversed().map((object) => remove(run, cluster, object, signal).catch((error: Error) => error)),
  )
  const failed = problems.find((problem) => problem instanceof Error)
  if (failed) throw failed
  if (!spec.waitFor?.delete || run.signal.aborted) return
  const everyMs = durationOf(spec.waitFor.interval, 'waitFor.interval') ?? 5000
  await until(run, { timeoutMs: waitMs(spec), everyMs, what: 'deleting the resources' }, async () => {
    const left = await Promise.all(objects.map((object) => read(run, cluster, object)))
    return left.every((object) => object === undefined) ? true : undefined
  })
}
