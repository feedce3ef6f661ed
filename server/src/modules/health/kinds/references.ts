import type { EnvVar } from '@quarterdeck/contract/checks/common'
import { gunzipSync } from 'node:zlib'
import { clusterFor } from '../../../platform/kubernetes/client.ts'
import { record, word } from '../../../platform/kubernetes/object.ts'
import type { CheckRun } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'

type ValueFrom = NonNullable<EnvVar['valueFrom']>

/** Values change rarely and thousands of checks may name the same one. */
const keepMs = 5 * 60_000
const kept = new Map<string, { until: number; value: Promise<string> }>()

/** The value a reference stands for, from the cluster the server runs in. */
export function resolveReference(run: CheckRun, from: ValueFrom | string): Promise<string> {
  const parsed = typeof from === 'string' ? fromText(from) : from
  const key = `${run.canary.namespace} ${JSON.stringify(parsed)}`
  const known = kept.get(key)
  if (known && known.until > Date.now()) return known.value
  if (kept.size > 5000) kept.clear()
  const value = lookUp(run, parsed)
  value.catch(() => kept.delete(key))
  kept.set(key, { until: Date.now() + keepMs, value })
  return value
}

function fromText(text: string): ValueFrom {
  const [scheme, rest = ''] = text.split('://')
  const [name = '', key = ''] = rest.split('/')
  if (scheme === 'serviceaccount') return { serviceAccount: name }
  if (!name || !key) throw new InvalidCheck(`"${scheme}://…" needs a name and a key, as in ${scheme}://name/key`)
  const ref = { name, key }
  return scheme === 'secret'
    ? { secretKeyRef: ref }
    : scheme === 'configmap'
      ? { configMapKeyRef: ref }
      : { helmRef: ref }
}

async function lookUp(run: CheckRun, from: ValueFrom): Promise<string> {
  const cluster = await clusterFor(run.ctx).catch((error: Error) => {
    throw new InvalidCheck(`a secret reference cannot be resolved: ${error.message}`)
  })
  const base = `/api/v1/namespaces/${encodeURIComponent(run.canary.namespace)}`
  const read = async (what: string, name: string) =>
    record(
      await cluster.request('GET', `${base}/${what}/${encodeURIComponent(name)}`).catch((error: Error) => {
        throw new InvalidCheck(`${what} ${name}: ${error.message}`)
      }),
    )
  const missing = (what: string, name: string, key: string) => new InvalidCheck(`${what} ${name} has no key "${key}"`)
  if (from.secretKeyRef) {
    const { name, key } = from.secretKeyRef
    const value = record((await read('secrets', name)).data)[key]
    if (typeof value !== 'string') throw missing('secret', name, key)
    return Buffer.from(value, 'base64').toString('utf8')
  }
  if (from.configMapKeyRef) {
    const { name, key } = from.configMapKeyRef
    const value = record((await read('configmaps', name)).data)[key]
    if (typeof value !== 'string') throw missing('config map', name, key)
    return value
  }
  if (from.serviceAccount) {
    const path = `${base}/serviceaccounts/${encodeURIComponent(from.serviceAccount)}/token`
    const answer = record(
      await cluster.request('POST', path, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
    )
    return word(record(answer.status).token)
  }
  if (from.helmRef) {
    const releases = await cluster.request('GET', `${base}/secrets?labelSelector=${helmSelector(from.helmRef.name)}`)
    return helmValue(record(releases), from)
  }
  throw new InvalidCheck('the reference names nothing')
}

const helmSelector = (release: string) => encodeURIComponent(`owner=helm,name=${release},status=deployed`)

function helmValue(list: Record<string, unknown>, from: ValueFrom): string {
  const { name, key } = from.helmRef!
  const secret = record((Array.isArray(list.items) ? list.items : []).at(-1))
  const packed = word(record(secret.data).release)
  if (!packed) throw new InvalidCheck(`there is no deployed Helm release "${name}"`)
  const unpacked = gunzipSync(Buffer.from(Buffer.from(packed, 'base64').toString(), 'base64'))
  const release = record(JSON.parse(unpacked.toString()))
  const values = merge(record(record(release.chart).values), record(release.config))
  const found = key
    .replace(/^\{?\$?\.?|\}$/g, '')
    .split('.')
    .reduce<unknown>((inner, part) => record(inner)[part], values)
  if (found === undefined) throw new InvalidCheck(`the Helm release ${name} has no value "${key}"`)
  return typeof found === 'string' ? found : JSON.stringify(found)
}

function merge(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const made = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const both = typeof value === 'object' && value !== null && typeof made[key] === 'object' && !Array.isArray(value)
    made[key] = both ? merge(record(made[key]), record(value)) : value
  }
  return made
}
