import type { KubernetesScraper } from '@quarterdeck/contract/scrapers/kubernetes'
import { type KubernetesObject, record, records, word } from '../../../../platform/kubernetes/object.ts'
import { environment } from '../../scrape/extract.ts'
import { lookUp } from '../../scrape/relationship-rules.ts'
import type { ScrapedItem, ScrapedRelationship } from '../kind.ts'
import type { ClusterIndex, Known, Selector } from './cluster-index.ts'
import { refTo } from './parents.ts'
import { type NameRef, referencesOf, selectorOf, targetsOf } from './references.ts'

interface Targets {
  service: { namespace: string; name: string }
  uids: string[]
}

/** What one object says about others: little enough to keep until all of them are known. */
export interface Links {
  of: Known
  names: NameRef[]
  owners: string[]
  selector?: Selector
  targets?: Targets
  further: { kind: string; namespace: string; name: string }[]
}

/** Read before the object is cleaned: who is named where. */
export function linksOf(object: KubernetesObject, of: Known): Links {
  return {
    of,
    names: referencesOf(object, of),
    owners: records(record(object.metadata).ownerReferences).map(({ uid }) => word(uid)),
    selector: selectorOf(object, of),
    targets: targetsOf(object, of),
    further: [],
  }
}

/** What the spec's own rules say about an item. */
export async function addFurther(
  links: Links,
  item: ScrapedItem,
  rules: KubernetesScraper['relationships'],
): Promise<void> {
  if (!rules?.length) return
  const env = environment(item, item.config)
  const labels = item.labels ?? {}
  for (const rule of rules) {
    const [kind = '', name = '', namespace = ''] = [
      await lookUp(rule.kind, env, labels),
      await lookUp(rule.name, env, labels),
      await lookUp(rule.namespace, env, labels),
    ]
    if (kind && name) links.further.push({ kind, name, namespace })
  }
}

/** The relationships of an object with those that are known; each pair once. */
export function* relationshipsOf(links: Links, index: ClusterIndex): Iterable<ScrapedRelationship> {
  const { of, names, owners, selector, targets, further } = links
  const seen = new Set<string>()
  const between = function* (from: Known | undefined, to: Known | undefined): Iterable<ScrapedRelationship> {
    if (!from || !to || from.id === to.id || seen.has(`${from.id} ${to.id}`)) return
    seen.add(`${from.id} ${to.id}`)
    yield { from: refTo(from), to: refTo(to), relation: `${from.kind}${to.kind}` }
  }
  if (of.namespace) yield* between(index.named('', 'Namespace', '', of.namespace), of)
  for (const uid of owners) yield* between(index.get(uid), of)
  for (const { group, kind, namespace, name, isAbove } of names) {
    const other = index.named(group, kind, namespace, name)
    yield* isAbove ? between(other, of) : between(of, other)
  }
  if (selector) for (const pod of index.podsOf(of.namespace, selector)) yield* between(of, pod)
  if (targets) {
    const service = index.named('', 'Service', targets.service.namespace, targets.service.name)
    for (const uid of targets.uids) yield* between(service, index.get(uid))
  }
  for (const { kind, namespace, name } of further) {
    yield* between(of, index.anyNamed(kind, namespace, name))
  }
}
