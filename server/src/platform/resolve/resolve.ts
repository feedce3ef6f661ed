import { secretFromEnvironment } from '../../config.ts'
import type { Context } from '../../context.ts'
import { type Cluster, clusterFor } from '../kubernetes/client.ts'
import { durationProperty, readProperties } from '../properties.ts'
import { readFromCluster } from './cluster-values.ts'
import { type EnvVar, type Reference, referenceOf, ResolveError, showReference } from './reference.ts'
import { readSecretFile, readStoredSecret } from './secret-files.ts'

/** Hears of every secret that is opened, so that it can be kept out of what is stored and shown. */
export interface SecretSink {
  add(secret: string): void
}

export interface ResolveOptions {
  /** Of the object that refers; `default` unless given. */
  namespace?: string
  secrets?: SecretSink
  signal?: AbortSignal
}

interface Kept {
  until: number
  value: Promise<string>
}
const caches = new WeakMap<object, Map<string, Kept>>()
const mostKept = 5_000

/** The value a reference stands for. Answers are kept for minutes (`envvar.cache.timeout`), as thousands of checks may name one. */
export async function resolveReference(
  ctx: Context,
  reference: Reference,
  options: ResolveOptions = {},
): Promise<string> {
  const { namespace = 'default', secrets } = options
  const cache = caches.get(ctx.db) ?? new Map<string, Kept>()
  caches.set(ctx.db, cache)
  const key = `${namespace} ${showReference(reference)}`
  const known = cache.get(key)
  let value = known && known.until > ctx.clock.now().getTime() ? known.value : undefined
  if (!value) {
    const properties = await readProperties(ctx)
    value = lookUp(
      ctx,
      reference,
      namespace,
      durationProperty(properties, 'envvar.lookup.timeout', '5s'),
      options.signal,
    )
    value.catch(() => cache.delete(key))
    if (cache.size >= mostKept) cache.clear()
    // A token that ends soon, or a file that may be replaced, is asked for more often than a stored value.
    const most = reference.from === 'file' || reference.from === 'env' ? '10s' : '5m'
    const keep = Math.min(
      durationProperty(properties, 'envvar.cache.timeout', '5m'),
      durationProperty(new Map(), '', most),
    )
    cache.set(key, { until: ctx.clock.now().getTime() + keep, value })
  }
  const found = await value
  // A config map is open to everybody who may see the cluster.
  if (reference.from !== 'configmap') secrets?.add(found)
  return found
}

/** For tests and for whoever has just changed a value. */
export const forgetResolved = (ctx: Context): void => void caches.delete(ctx.db)

async function lookUp(
  ctx: Context,
  reference: Reference,
  namespace: string,
  timeoutMs: number,
  given?: AbortSignal,
): Promise<string> {
  const limit = AbortSignal.timeout(timeoutMs)
  const signal = given ? AbortSignal.any([given, limit]) : limit
  const shown = showReference(reference)
  const late = new Promise<never>((_, reject) => {
    const stop = () => reject(new ResolveError(`${shown} was not answered within ${timeoutMs / 1000} s`))
    if (limit.aborted) stop()
    else limit.addEventListener('abort', stop, { once: true })
  })
  late.catch(() => {})
  return Promise.race([read(ctx, reference, namespace, signal), late])
}

async function read(ctx: Context, reference: Reference, namespace: string, signal: AbortSignal): Promise<string> {
  const folders = ctx.config.QUARTERDECK_SECRET_FILES
  switch (reference.from) {
    case 'env': {
      const value = secretFromEnvironment(ctx.config, reference.name)
      if (value === undefined) {
        throw new ResolveError(
          `env://${reference.name} is not set, or not among those that QUARTERDECK_SECRET_ENV allows`,
        )
      }
      return value
    }
    case 'file':
      return readSecretFile(reference.path, folders)
    default: {
      let cluster: Cluster
      try {
        cluster = await clusterFor(ctx)
      } catch (error) {
        if (reference.from === 'secret' || reference.from === 'configmap') {
          const stored = await readStoredSecret(reference.name, reference.key, namespace, folders)
          if (stored !== undefined) return stored
        }
        throw new ResolveError(`${showReference(reference)} cannot be resolved: ${(error as Error).message}`)
      }
      return readFromCluster(cluster, reference, namespace, signal)
    }
  }
}

/** A value, or what its reference stands for; undefined when there is neither. */
export async function resolveValue(
  ctx: Context,
  value: EnvVar | null | undefined,
  options: ResolveOptions = {},
): Promise<string | undefined> {
  if (value === undefined || value === null) return undefined
  const reference = referenceOf(value)
  if (reference) return resolveReference(ctx, reference, options)
  return typeof value === 'string' ? value : value.value
}

/** Names that usually hold something nobody should read. */
const telling = /auth|token|secret|passw|key|cookie|credential/i

/** A list of environment variables as a map. Values from references, and those with a telling name, count as secrets. */
export async function resolveEnv(
  ctx: Context,
  list: readonly EnvVar[] | null | undefined,
  options: ResolveOptions = {},
): Promise<Record<string, string>> {
  const made: Record<string, string> = {}
  for (const entry of list ?? []) {
    if (typeof entry === 'string' || !entry.name || entry.name === '__proto__') continue
    const value = (await resolveValue(ctx, entry, options)) ?? ''
    if (telling.test(entry.name)) options.secrets?.add(value)
    made[entry.name] = value
  }
  return made
}
