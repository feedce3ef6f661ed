import { setMaxListeners } from 'node:events'
import { parseDuration } from '@quarterdeck/contract/schedule'
import { defaultMaxInflight, type KubernetesScraper } from '@quarterdeck/contract/scrapers/kubernetes'
import { type ApiResource, type Cluster, type ListOptions, pathOf } from '../../../../platform/kubernetes/client.ts'
import { type KubernetesObject, record, time, word } from '../../../../platform/kubernetes/object.ts'
import type { ScrapeResult, ScrapeRun } from '../kind.ts'
import { wishesOf } from './annotations.ts'
import { shownKind, statusOf } from './cluster.ts'
import { ClusterIndex, isExcluded, type Known, names } from './cluster-index.ts'
import { changeOf } from './events.ts'
import { type ItemOptions, itemOf } from './item.ts'
import { addFurther, type Links, linksOf, relationshipsOf } from './links.ts'
import { merge } from './merge.ts'
import { clusterId } from './names.ts'
import { wantedKinds } from './wanted-kinds.ts'

/** One pass over one cluster; the watch uses the same rules object by object. */
export class ClusterScrape {
  readonly index: ClusterIndex
  readonly links: Links[] = []
  private readonly options: ItemOptions
  private readonly seen = new Set<string>()
  private readonly age: number | undefined

  constructor(
    private readonly run: ScrapeRun,
    readonly cluster: Cluster,
    readonly spec: KubernetesScraper,
  ) {
    const { clusterName, exclusions, since } = spec
    this.index = new ClusterIndex(clusterName)
    // Every request in flight listens to the one signal.
    setMaxListeners(0, run.signal)
    const hidesReplicaSets = names(exclusions?.kind, 'ReplicaSet')
    this.options = { clusterName, now: this.now, index: this.index, hidesReplicaSets }
    this.age = since ? parseDuration(since) : undefined
  }

  private now = (): number => this.run.ctx.clock.now().getTime()

  /** Everything: the cluster, its objects, its events, and how they belong together. */
  async *all(): AsyncGenerator<ScrapeResult> {
    const { run, cluster, spec } = this
    const { resources, failures } = await cluster.discovery(run.signal, { fresh: !spec.useCache })
    yield { item: await this.clusterItem() }
    for (const { base, message } of failures)
      yield { error: { message, item: base.replace('/apis/', ''), partial: !spec.allowIncomplete } }
    const { first, main, last } = wantedKinds(resources, spec)
    if (spec.namespace) yield* this.ownNamespace(resources, spec.namespace)
    for (const phase of [first, main, last]) yield* this.kinds(phase)
    yield* this.events(resources)
    for (const links of this.links)
      for (const relationship of relationshipsOf(links, this.index)) yield { relationship }
  }

  private kinds(resources: readonly ApiResource[]): AsyncGenerator<ScrapeResult> {
    const limit = this.spec.maxInflight ?? defaultMaxInflight
    return merge(
      resources.map((resource) => () => this.objectsOf(resource)),
      limit,
    )
  }

  private async *objectsOf(resource: ApiResource): AsyncGenerator<ScrapeResult> {
    const { namespace, selector, fieldSelector } = this.spec
    const options = { namespace, labelSelector: selector, fieldSelector }
    try {
      for await (const { objects } of this.cluster.pages(resource, { ...options, signal: this.run.signal })) {
        for (const object of objects) yield* this.resultsOf(object)
      }
    } catch (error) {
      yield* this.problem(error, resource)
    }
  }

  /** What could not be read is told per kind; the others are read all the same. */
  private *problem(error: unknown, resource: ApiResource): Iterable<ScrapeResult> {
    this.run.signal.throwIfAborted()
    const status = statusOf(error)
    // The kind is gone, or cannot be listed, or does not have the field that is asked for.
    if (status === 404 || status === 405 || (status === 400 && this.spec.fieldSelector)) return
    const partial = !(status === 403 && this.spec.allowIncomplete)
    yield { error: { message: (error as Error).message, item: shownKind(resource), partial } }
  }

  /** Adds an object to what is known; undefined when it is not to be stored. */
  admit(object: KubernetesObject): { known: Known; item: boolean } {
    const known = this.index.add(object)
    return { known, item: this.isWanted(object) }
  }

  private isWanted(object: KubernetesObject): boolean {
    const { exclusions } = this.spec
    if (isExcluded(object, exclusions) || wishesOf(object).ignore || isEvicted(object)) return false
    const created = time(record(object.metadata).creationTimestamp)
    return this.age === undefined || created === undefined || created >= this.now() - this.age
  }

  /** The item of an object, and what it says about others. */
  async *resultsOf(object: KubernetesObject): AsyncGenerator<ScrapeResult> {
    const { known, item: isWanted } = this.admit(object)
    if (!isWanted || this.seen.has(known.id)) return
    this.seen.add(known.id)
    const { links, result } = await this.storable(object, known)
    this.links.push(links)
    yield result
  }

  async storable(object: KubernetesObject, known: Known): Promise<{ links: Links; result: ScrapeResult }> {
    const links = linksOf(object, known)
    const item = itemOf(object, known, this.options)
    await addFurther(links, item, this.spec.relationships)
    return { links, result: { item } }
  }

  /** Objects of one namespace are still shown below it. */
  private async *ownNamespace(resources: readonly ApiResource[], name: string): AsyncGenerator<ScrapeResult> {
    const resource = resources.find(({ base, kind }) => base === '/api/v1' && kind === 'Namespace')
    if (!resource) return
    try {
      const path = pathOf(resource, undefined, name)
      const object = record(await this.cluster.request('GET', path, undefined, { signal: this.run.signal }))
      yield* this.resultsOf({ apiVersion: 'v1', kind: 'Namespace', ...object })
    } catch (error) {
      this.run.signal.throwIfAborted()
      if (statusOf(error) === 404) throw new Error(`the cluster has no namespace "${name}"`, { cause: error })
      // Who may only see inside a namespace often may not see the namespace itself.
      this.run.log.info({ err: error, namespace: name }, 'the namespace itself cannot be read')
    }
  }

  private async *events(resources: readonly ApiResource[]): AsyncGenerator<ScrapeResult> {
    const resource = resources.find(({ base, kind }) => base === '/api/v1' && kind === 'Event')
    if (!resource || names(this.spec.exclusions?.kind, 'Event')) return
    const options: ListOptions = { namespace: this.spec.namespace, signal: this.run.signal }
    try {
      for await (const { objects } of this.cluster.pages(resource, options)) {
        for (const event of objects) {
          const change = this.changeOf(event)
          if (change) yield { change }
        }
      }
    } catch (error) {
      yield* this.problem(error, resource)
    }
  }

  changeOf(event: KubernetesObject) {
    const namespace = word(record(event.involvedObject).namespace)
    if (namespace && names(this.spec.exclusions?.namespace, namespace)) return undefined
    return changeOf(event, this.index, this.spec.event)
  }

  /** The cluster itself is above everything in it. */
  private async clusterItem() {
    const { clusterName } = this.spec
    const version = await this.cluster
      .request('GET', '/version', undefined, { signal: this.run.signal })
      .then(record)
      .catch(() => ({}) as Record<string, unknown>)
    const gitVersion = word(version.gitVersion)
    return {
      id: clusterId(clusterName),
      type: 'Kubernetes::Cluster',
      configClass: 'Cluster',
      name: clusterName,
      source: `kubernetes/${clusterName}`,
      tags: { cluster: clusterName },
      labels: {},
      properties: gitVersion ? [{ name: 'version', text: gitVersion }] : undefined,
      config: { clusterName, server: serverOf(this.cluster.address.server), version },
    }
  }
}

/** Without what somebody may have written into the address. */
function serverOf(address: string): string {
  try {
    return new URL(address).origin
  } catch {
    return ''
  }
}

/** A pod that was moved away leaves its shell behind, often hundreds of them. */
const isEvicted = (object: KubernetesObject): boolean =>
  object.kind === 'Pod' && record(object.status).reason === 'Evicted'
