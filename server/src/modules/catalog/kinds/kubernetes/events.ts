import type { KubernetesScraper } from '@quarterdeck/contract/scrapers/kubernetes'
import { count, type KubernetesObject, record, time, word } from '../../../../platform/kubernetes/object.ts'
import { isUuid } from '../../../../platform/ids.ts'
import { severityOf } from '../../ingest/severity.ts'
import type { ScrapedChange } from '../kind.ts'
import { type ClusterIndex, names } from './cluster-index.ts'
import { typeOf } from './names.ts'

type EventRules = NonNullable<KubernetesScraper['event']>

/** An event as a change of the object it is about; nothing for events that nobody wants. */
export function changeOf(
  event: KubernetesObject,
  index: ClusterIndex,
  { exclusions = {}, severityKeywords = {} }: EventRules = {},
): ScrapedChange | undefined {
  const about = record(event.involvedObject ?? event.regarding)
  const reason = word(event.reason)
  const [kind, namespace, name] = [word(about.kind), word(about.namespace), word(about.name)]
  if (!reason || !kind || !name) return undefined
  if (names(exclusions.reason, reason) || names(exclusions.name, name)) return undefined
  if (namespace && names(exclusions.namespace, namespace)) return undefined
  // Some components write a name where the uid belongs; a real uid that is not known belongs to one that is gone.
  const uid = word(about.uid)
  const known = index.get(uid) ?? (isUuid(uid) ? undefined : index.anyNamed(kind, namespace, name))
  const severity = keywordSeverity(reason, severityKeywords)
  if (known && isIgnored(reason, severity ?? severityOf(reason) ?? '', known)) return undefined
  const times = Math.max(count(event.count), count(record(event.series).count), 1)
  return {
    item: known
      ? { externalId: known.id, type: known.type }
      : { externalId: uid || name, type: typeOf(about.apiVersion, kind) },
    changeType: reason,
    externalChangeId: word(record(event.metadata).uid) || undefined,
    // The same event is counted up by the cluster when it happens again.
    updateExisting: times > 1,
    // A container that is killed is often started again; whether the object goes is told by the cluster itself.
    action: known ? 'keep' : undefined,
    severity,
    summary: word(event.message || event.note),
    source: sourceOf(event),
    createdAt: new Date(happenedAt(event) ?? Date.now()),
    details: detailsOf(event),
  }
}

function keywordSeverity(reason: string, { error, warn }: NonNullable<EventRules['severityKeywords']>) {
  const text = reason.toLowerCase()
  const hits = (list: readonly string[] | undefined) =>
    list?.some((word) => word !== '' && text.includes(word.toLowerCase()))
  if (hits(error)) return 'error'
  return hits(warn) ? 'warn' : undefined
}

function isIgnored(
  reason: string,
  severity: string,
  { ignoreChanges, ignoreSeverities }: { ignoreChanges: string[]; ignoreSeverities: string[] },
): boolean {
  return names(ignoreChanges, reason) || names(ignoreSeverities, severity)
}

/** Who reported it: one word, or whatever the event says about its source. */
function sourceOf(event: KubernetesObject): string {
  const reporter = word(event.reportingComponent) || word(event.reportingController)
  if (reporter) return reporter
  const pairs = Object.entries(record(event.source ?? event.deprecatedSource))
    .filter(([, value]) => word(value) !== '')
    .map(([key, value]) => `${key}=${word(value)}`)
  return `kubernetes/${pairs.sort().join(',')}`
}

const happenedAt = (event: KubernetesObject): number | undefined =>
  time(record(event.series).lastObservedTime) ??
  time(event.lastTimestamp) ??
  time(event.eventTime) ??
  time(event.firstTimestamp) ??
  time(record(event.metadata).creationTimestamp)

function detailsOf(event: KubernetesObject): KubernetesObject {
  const { managedFields: _, resourceVersion: __, ...metadata } = record(event.metadata)
  return { ...event, metadata }
}
