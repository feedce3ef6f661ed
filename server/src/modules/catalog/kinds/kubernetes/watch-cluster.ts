import { setMaxListeners } from 'node:events'
import { type KubernetesScraper, watchedKinds } from '@quarterdeck/contract/scrapers/kubernetes'
import type { ApiResource } from '../../../../platform/kubernetes/client.ts'
import { type KubernetesObject, record } from '../../../../platform/kubernetes/object.ts'
import { watch } from '../../../../platform/kubernetes/watch.ts'
import type { ScrapeResult, ScrapeRun } from '../kind.ts'
import { clusterOf, shownKind, statusOf } from './cluster.ts'
import { names } from './cluster-index.ts'
import { relationshipsOf } from './links.ts'
import { externalIdOf, identityOf } from './names.ts'
import { Outbox } from './outbox.ts'
import { ClusterScrape } from './scrape-cluster.ts'
import { wantedKinds } from './wanted-kinds.ts'

/** So much may wait to be stored; then the cluster is no longer listened to until it is. */
const mostWaiting = 5_000

/** What happens in a cluster between two scrapes: objects that change or go, and events. */
export async function* watchCluster(run: ScrapeRun, spec: KubernetesScraper): AsyncGenerator<ScrapeResult> {
  const scrape = new ClusterScrape(run, await clusterOf(run, spec), spec)
  const { cluster } = scrape
  const { resources } = await cluster.discovery(run.signal)
  // Those that others are filed under are known before anything is heard.
  for (const resource of wantedKinds(resources, spec).first) {
    const objects = await cluster
      .list(resource, { namespace: spec.namespace, signal: run.signal })
      .catch((): KubernetesObject[] => [])
    objects.forEach((object) => scrape.index.add(object))
  }
  const outbox = new Outbox<ScrapeResult>(mostWaiting)
  const stop = new AbortController()
  const signal = AbortSignal.any([run.signal, stop.signal])
  setMaxListeners(0, signal)
  const ended = () => outbox.close()
  signal.addEventListener('abort', ended, { once: true })
  const following: Promise<void>[] = []
  try {
    for (const { apiVersion, kind } of spec.watch ?? watchedKinds) {
      if (names(spec.exclusions?.kind, kind)) continue
      const resource = await cluster
        .resourceOf(kind, apiVersion || undefined, run.signal)
        .catch((error: Error) => error)
      if (resource instanceof Error) {
        // A cluster without the kind is none the worse for it.
        if (statusOf(resource) !== 404) yield { error: { message: resource.message, item: kind } }
      } else following.push(follow(scrape, resource, spec, outbox, signal))
    }
    const events = resources.find(({ base, kind }) => base === '/api/v1' && kind === 'Event')
    if (events && !names(spec.exclusions?.kind, 'Event'))
      following.push(followEvents(scrape, events, spec, outbox, signal))
    yield* outbox
  } finally {
    stop.abort()
    signal.removeEventListener('abort', ended)
    outbox.close()
    await Promise.allSettled(following)
  }
}

async function follow(
  scrape: ClusterScrape,
  resource: ApiResource,
  spec: KubernetesScraper,
  outbox: Outbox<ScrapeResult>,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController()
  const reports = reporter(outbox, shownKind(resource), over)
  /** Ids of the kind that were there; what is missing after a list was lost has gone meanwhile. */
  let there = new Set<string>()
  const named = (object: KubernetesObject): KubernetesObject => ({
    ...object,
    kind: resource.kind,
    apiVersion: resource.base.replace(/^\/apis?\//, ''),
  })
  const changed = async (object: KubernetesObject) => {
    const { known, item } = scrape.admit(object)
    if (!item) return gone(object)
    there.add(known.id)
    const { links, result } = await scrape.storable(object, known)
    await outbox.put(result)
    for (const relationship of relationshipsOf(links, scrape.index)) await outbox.put({ relationship })
  }
  const gone = async (object: KubernetesObject) => {
    const identity = identityOf(object)
    await deleted(externalIdOf(identity, spec.clusterName), identity.type)
  }
  const deleted = async (id: string, type: string) => {
    // What was never stored needs no deletion.
    if (!there.delete(id)) return
    scrape.index.remove(id)
    await outbox.put({ deletion: { item: { externalId: id, type }, reason: 'WATCH' } })
  }
  await watch(scrape.cluster, resource, {
    namespace: resource.namespaced ? spec.namespace : undefined,
    labelSelector: spec.selector,
    fieldSelector: spec.fieldSelector,
    signal: AbortSignal.any([signal, over.signal]),
    onError: reports.failed,
    async onList(objects) {
      reports.heard()
      const before = there
      there = new Set()
      for (const object of objects) await changed(named(object))
      for (const id of before) {
        if (there.has(id)) continue
        there.add(id)
        await deleted(id, scrape.index.get(id)?.type ?? `Kubernetes::${resource.kind}`)
      }
    },
    async onChange(change, object) {
      reports.heard()
      const full = named(object)
      if (change === 'DELETED') await gone(full)
      else await changed(full)
    },
  })
}

function followEvents(
  scrape: ClusterScrape,
  resource: ApiResource,
  spec: KubernetesScraper,
  outbox: Outbox<ScrapeResult>,
  signal: AbortSignal,
): Promise<void> {
  const reports = reporter(outbox, 'Event')
  const happened = async (event: KubernetesObject) => {
    reports.heard()
    const change = scrape.changeOf(event)
    if (change) await outbox.put({ change })
  }
  return watch(scrape.cluster, resource, {
    namespace: spec.namespace,
    signal,
    onError: reports.failed,
    async onList(events) {
      for (const event of events) await happened(event)
    },
    // The cluster forgets events after an hour; that is no news.
    onChange: async (change, event) => (change === 'DELETED' ? undefined : happened(record(event))),
  })
}

/** A kind that cannot be followed at all: it went, has no watch, or does not have the field that is selected by. */
const hopeless = [400, 404, 405]

/** Lines break now and then, and are followed on; only when that fails too it is worth a word. */
const mostBreaks = 3

/** Says once what keeps a kind from being followed, and again when it is something else. */
function reporter(outbox: Outbox<ScrapeResult>, item: string, over?: AbortController) {
  let last = ''
  let breaks = 0
  return {
    heard: () => {
      breaks = 0
      last = ''
    },
    failed: (error: unknown) => {
      const status = statusOf(error)
      if (over && hopeless.includes(status)) return over.abort()
      if (status === 0 && ++breaks < mostBreaks) return
      const message = `watch: ${(error as Error).message}`
      if (message === last) return
      last = message
      void outbox.put({ error: { message, item } })
    },
  }
}
