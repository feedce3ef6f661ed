import { setTimeout as wait } from 'node:timers/promises'
import { type ApiResource, type Cluster, KubernetesError, pathOf } from './client.ts'
import { type KubernetesObject, record, word } from './object.ts'

export interface WatchOptions {
  namespace?: string
  labelSelector?: string
  fieldSelector?: string
  signal: AbortSignal
  /** Everything there is, at the start and whenever the thread was lost. */
  onList(objects: KubernetesObject[]): void | Promise<void>
  onChange(change: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject): void | Promise<void>
  /** A watch goes on after failures; this hears of them. */
  onError?(error: unknown): void
  /** Pause after the first failure, doubled up to a minute with each that follows. */
  firstPauseMs?: number
}

const longestPauseMs = 60_000
/** The cluster is asked to end a stream after so long, and it is ended here when it does not: a dead line says nothing. */
const streamSeconds = 300
/** A stream that ends sooner without a word counts as a failure. */
const shortestStreamMs = 1_000

/** Follows objects until the signal ends it: lists them, then hears of changes; what was missed is listed again. */
export async function watch(cluster: Cluster, resource: ApiResource, options: WatchOptions): Promise<void> {
  const { signal, firstPauseMs = 1_000 } = options
  let pause = firstPauseMs
  /** Where to go on; empty when everything has to be listed. */
  let version = ''
  const hear = (heard: string) => {
    version = heard || version
    pause = firstPauseMs
  }
  while (!signal.aborted) {
    try {
      if (version === '') version = await list(cluster, resource, options)
      const { isShort } = await follow(cluster, resource, version, options, hear)
      if (isShort) await rest()
    } catch (error) {
      if (signal.aborted) return
      // 410: the cluster has forgotten where we were, so the list is read anew at once.
      const isLost = error instanceof KubernetesError && error.status === 410
      // Any other answer is about the request itself; a broken line is followed on where it broke.
      if (error instanceof KubernetesError) version = ''
      if (isLost) continue
      options.onError?.(error)
      await rest()
    }
  }

  async function rest(): Promise<void> {
    await wait(pause, undefined, { signal }).catch(() => {})
    pause = Math.min(pause * 2, longestPauseMs)
  }
}

function queryOf({ labelSelector, fieldSelector }: WatchOptions, more: Record<string, string>): string {
  const query = new URLSearchParams(more)
  if (labelSelector) query.set('labelSelector', labelSelector)
  if (fieldSelector) query.set('fieldSelector', fieldSelector)
  return query.toString()
}

async function list(cluster: Cluster, resource: ApiResource, options: WatchOptions): Promise<string> {
  let objects: KubernetesObject[] = []
  let version = ''
  for await (const page of cluster.pages(resource, options)) {
    // A list that was forgotten half-way begins anew, at a version of its own.
    if (version !== '' && page.resourceVersion !== version) objects = []
    objects.push(...page.objects)
    version = page.resourceVersion
  }
  await options.onList(objects)
  return version
}

/** Hears changes from a version on, until the cluster ends the stream, as it does every few minutes. */
async function follow(
  cluster: Cluster,
  resource: ApiResource,
  from: string,
  options: WatchOptions,
  hear: (version: string) => void,
): Promise<{ isShort: boolean }> {
  const query = queryOf(options, {
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: from,
    timeoutSeconds: String(streamSeconds),
  })
  const started = performance.now()
  let count = 0
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout((streamSeconds + 30) * 1000)])
  for await (const line of cluster.lines(`${pathOf(resource, options.namespace)}?${query}`, signal)) {
    const event = record(JSON.parse(line))
    const object = record(event.object)
    const type = word(event.type)
    if (type === 'ERROR')
      throw new KubernetesError(word(object.message) || 'the watch failed', Number(object.code) || 500)
    if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') await options.onChange(type, object)
    // Only what was handled counts as heard.
    hear(word(record(object.metadata).resourceVersion))
    count++
  }
  return { isShort: count === 0 && performance.now() - started < shortestStreamMs }
}
