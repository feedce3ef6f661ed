import type { SecretText } from '@quarterdeck/contract/checks/common'
import { parse } from 'yaml'
import {
  type ApiResource,
  type Cluster,
  clusterFor,
  KubernetesError,
  pathOf,
} from '../../../platform/kubernetes/client.ts'
import { type KubernetesObject, record, word } from '../../../platform/kubernetes/object.ts'
import type { CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { connectionOf, resolveText } from './credentials.ts'

/** The cluster a check is about: its kubeconfig, its connection, or the one this server runs in. */
export async function clusterOf(
  run: CheckRun,
  spec: { kubeconfig?: SecretText; connection?: string },
): Promise<Cluster> {
  const given = await resolveText(run, spec.kubeconfig)
  const config = given ?? (spec.connection ? (await connectionOf(run, spec.connection)).certificate : undefined)
  if (spec.connection && !config) throw new InvalidCheck('the connection holds no kubeconfig')
  try {
    return await clusterFor(run.ctx, config)
  } catch (error) {
    throw new InvalidCheck((error as Error).message)
  }
}

export const nameOf = (object: KubernetesObject): string => word(record(object.metadata).name)
export const namespaceOf = (object: KubernetesObject): string => word(record(object.metadata).namespace)
export const shown = (object: KubernetesObject): string =>
  [word(object.kind), namespaceOf(object), nameOf(object)].filter(Boolean).join('/')

/** An object given as YAML text or in place. */
export function objectOf(value: unknown, field: string): KubernetesObject {
  try {
    const object = record(typeof value === 'string' ? parse(value) : value)
    if (Object.keys(object).length > 0) return structuredClone(object)
  } catch (error) {
    throw new InvalidCheck(`${field}: ${(error as Error).message}`)
  }
  throw new InvalidCheck(`${field} is not a Kubernetes object`)
}

/** Creates or changes an object, owning exactly the fields it names. */
export async function apply(run: CheckRun, cluster: Cluster, object: KubernetesObject): Promise<KubernetesObject> {
  const { resource, namespace } = await placeOf(run, cluster, object)
  const path = `${pathOf(resource, namespace, nameOf(object))}?fieldManager=quarterdeck&force=true`
  const options = { signal: run.signal, patch: 'application/apply-patch+yaml' }
  return record(
    await cluster.request('PATCH', path, object, options).catch((error: Error) => {
      throw new Error(`${shown(object)} could not be applied: ${error.message}`)
    }),
  )
}

export async function read(
  run: CheckRun,
  cluster: Cluster,
  object: KubernetesObject,
): Promise<KubernetesObject | undefined> {
  const { resource, namespace } = await placeOf(run, cluster, object)
  return cluster
    .request('GET', pathOf(resource, namespace, nameOf(object)), undefined, { signal: run.signal })
    .then(record, absent)
}

/** Deletes an object; one that is gone already is fine. `signal` is its own, since cleaning up outlives the check. */
export async function remove(
  run: CheckRun,
  cluster: Cluster,
  object: KubernetesObject,
  signal = run.signal,
): Promise<void> {
  const { resource, namespace } = await placeOf(run, cluster, object, signal)
  const path = `${pathOf(resource, namespace, nameOf(object))}?propagationPolicy=Background&gracePeriodSeconds=0`
  await cluster.request('DELETE', path, undefined, { signal }).catch(absent)
}

async function placeOf(
  run: CheckRun,
  cluster: Cluster,
  object: KubernetesObject,
  signal = run.signal,
): Promise<{ resource: ApiResource; namespace: string }> {
  const resource = await cluster.resourceOf(word(object.kind), word(object.apiVersion) || undefined, signal)
  return { resource, namespace: namespaceOf(object) || run.canary.namespace || cluster.address.namespace }
}

function absent(error: unknown): undefined {
  if (error instanceof KubernetesError && error.status === 404) return undefined
  throw error
}

/** Asks again and again until it holds; says `what` was waited for when it does not in time. */
export async function until<T>(
  run: CheckRun,
  { timeoutMs, everyMs, what }: { timeoutMs: number; everyMs: number; what: string },
  look: () => Promise<T | undefined>,
): Promise<T> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() + everyMs > end) throw new Error(`${what} took longer than ${timeoutMs} ms`)
    await pause(run, everyMs)
  }
}

export function pause({ signal }: Pick<CheckRun, 'signal'>, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
