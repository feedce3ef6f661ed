import { gunzipSync } from 'node:zlib'
import { type Cluster, KubernetesError } from '../kubernetes/client.ts'
import { record, records, word } from '../kubernetes/object.ts'
import { queryPath } from '../expressions/jsonpath/jsonpath.ts'
import { type Reference, ResolveError, showReference } from './reference.ts'

type ClusterReference = Extract<Reference, { from: 'secret' | 'configmap' | 'helm' | 'serviceaccount' }>

/** The value a reference has in a cluster, in the namespace of the object that refers. */
export async function readFromCluster(
  cluster: Cluster,
  reference: ClusterReference,
  namespace: string,
  signal: AbortSignal,
): Promise<string> {
  const base = `/api/v1/namespaces/${encodeURIComponent(namespace)}`
  const shown = showReference(reference)
  const ask = async (method: string, path: string, body?: unknown) => {
    try {
      return record(await cluster.request(method, base + path, body, { signal }))
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 404)
        throw new ResolveError(`${shown}: there is no such object in namespace ${namespace}`)
      throw new ResolveError(`${shown} could not be read from the cluster: ${(error as Error).message}`)
    }
  }
  const named = encodeURIComponent(reference.name)
  switch (reference.from) {
    case 'secret': {
      const value = record((await ask('GET', `/secrets/${named}`)).data)[reference.key]
      if (typeof value !== 'string') throw new ResolveError(`${shown}: the secret has no key ${reference.key}`)
      return Buffer.from(value, 'base64').toString('utf8')
    }
    case 'configmap': {
      const map = await ask('GET', `/configmaps/${named}`)
      const value = record(map.data)[reference.key] ?? decoded(record(map.binaryData)[reference.key])
      if (typeof value !== 'string') throw new ResolveError(`${shown}: the config map has no key ${reference.key}`)
      return value
    }
    case 'serviceaccount': {
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
      const token = word(record((await ask('POST', `/serviceaccounts/${named}/token`, request)).status).token)
      if (token === '') throw new ResolveError(`${shown}: the cluster gave no token`)
      return token
    }
    case 'helm': {
      const query = encodeURIComponent(`owner=helm,name=${reference.name},status=deployed`)
      return helmValue(records((await ask('GET', `/secrets?labelSelector=${query}`)).items), reference, shown)
    }
  }
}

const decoded = (value: unknown) =>
  typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : undefined

/** Helm keeps a release packed three times over in a secret; the newest deployed one counts. */
function helmValue(
  secrets: Record<string, unknown>[],
  reference: { name: string; key: string },
  shown: string,
): string {
  const version = (secret: Record<string, unknown>) => Number(record(record(secret.metadata).labels).version ?? 0)
  const newest = secrets.sort((a, b) => version(b) - version(a))[0]
  const packed = word(record(newest?.data).release)
  if (packed === '') throw new ResolveError(`${shown}: there is no deployed release ${reference.name}`)
  let release: Record<string, unknown>
  try {
    const unpacked = gunzipSync(Buffer.from(Buffer.from(packed, 'base64').toString(), 'base64'), {
      maxOutputLength: 64 * 1024 * 1024,
    })
    release = record(JSON.parse(unpacked.toString()))
  } catch {
    throw new ResolveError(`${shown}: the release could not be unpacked`)
  }
  const found = queryPath(reference.key, overlaid(record(record(release.chart).values), record(release.config)))
  if (found === undefined || found === null)
    throw new ResolveError(`${shown}: the release has no value ${reference.key}`)
  return typeof found === 'string' ? found : JSON.stringify(found)
}

function overlaid(base: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const made = { ...base }
  for (const [key, value] of Object.entries(over)) {
    if (key === '__proto__') continue
    const both = [value, made[key]].every((side) => typeof side === 'object' && side !== null && !Array.isArray(side))
    made[key] = both ? overlaid(record(made[key]), record(value)) : value
  }
  return made
}
