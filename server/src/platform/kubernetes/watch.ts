import { setTimeout as wait } from 'node:timers/promises'
import { type ApiResource, type Cluster, KubernetesError, pathOf } from './client.ts'
import { type KubernetesObject, record, records, word } from './object.ts'

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
}

const firstPauseMs = 1_000
const longestPauseMs = 60_000

/** Follows objects until the signal ends it: lists them, then hears of changes; what was missed is listed again. */
export async function watch(cluster: Cluster, resource: ApiResource, options: WatchOptions): Promise<void> {
  const { signal } = options
  const ended = () => signal.aborted
  let pause = firstPauseMs
  while (!ended()) {
    try {
      let version = await list(cluster, resource, options)
      while (!ended()) {
        version = await follow(cluster, resource, version, options)
        pause = firstPauseMs
      }
    } catch (error) {
      if (ended()) return
      // 410: the cluster has forgotten where we were, so the list is read anew at once.
      if (error instanceof KubernetesError && error.status === 410) continue
      options.onError?.(error)
      await wait(pause, undefined, { signal }).catch(() => {})
      pause = Math.min(pause * 2, longestPauseMs)
    }
  }
}

function queryOf({ labelSelector, fieldSelector }: WatchOptions, more: Record<string, string>): string {
  const query = new URLSearchParams(more)
  if (labelSelector) query.set('labelSelector', labelSelector)
  if (fieldSelector) query.set('fieldSelector', fieldSelector)
  return query.toString()
}

async function list(cluster: Cluster, resource: ApiResource, options: WatchOptions): Promise<string> {
  const { namespace, signal, onList } = options
  const apiVersion = resource.base.replace(/^\/apis?\//, '')
  const objects: KubernetesObject[] = []
  let next = ''
  for (;;) {
    const query = queryOf(options, { limit: '500', ...(next ? { continue: next } : {}) })
    const page = record(await cluster.request('GET', `${pathOf(resource, namespace)}?${query}`, undefined, { signal }))
    objects.push(...records(page.items).map((item) => ({ apiVersion, kind: resource.kind, ...item })))
    next = word(record(page.metadata).continue)
    if (next) continue
    await onList(objects)
    return word(record(page.metadata).resourceVersion)
  }
}

/** Hears changes from a version on; gives back the last one heard when the cluster ends the stream, as it does every few minutes. */
async function follow(cluster: Cluster, resource: ApiResource, from: string, options: WatchOptions): Promise<string> {
  const query = queryOf(options, { watch: 'true', allowWatchBookmarks: 'true', resourceVersion: from })
  let version = from
  for await (const line of cluster.lines(`${pathOf(resource, options.namespace)}?${query}`, options.signal)) {
    const event = record(JSON.parse(line))
    const object = record(event.object)
    const type = word(event.type)
    if (type === 'ERROR')
      throw new KubernetesError(word(object.message) || 'the watch failed', Number(object.code) || 500)
    version = word(record(object.metadata).resourceVersion) || version
    if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') await options.onChange(type, object)
  }
  return version
}
