import { record, time, word } from '../../../../platform/kubernetes/object.ts'
import { matchesList } from '../../../../platform/selectors/match-list.ts'
import type { ScrapedChange } from '../kind.ts'
import { resourceOf } from './resources.ts'

type Raw = Record<string, unknown>

const severities: Record<string, string> = { Critical: 'critical', Error: 'high', Warning: 'medium', Verbose: 'low' }

/** One operation is told in several events (started, accepted, succeeded); together they are one change. */
export function activityChanges(events: readonly Raw[], excluded: readonly string[] | undefined): ScrapedChange[] {
  const groups = new Map<string, Raw[]>()
  for (const event of events) {
    const operation = word(record(event.operationName).value)
    if (excluded?.length && matchesList(excluded, operation)) continue
    const about = resourceOf(word(event.resourceId))
    if (!about || !operation) continue
    const key = `${word(event.correlationId)} ${about.id} ${operation}`
    const group = groups.get(key)
    if (group) group.push(event)
    else groups.set(key, [event])
  }
  return [...groups].map(([key, group]) => changeOf(key, group))
}

const at = (event: Raw): number => time(event.eventTimestamp) ?? 0

function changeOf(key: string, group: Raw[]): ScrapedChange {
  const events = group.sort((a, b) => at(a) - at(b))
  const [oldest, newest] = [events[0]!, events.at(-1)!]
  const about = resourceOf(word(newest.resourceId))!
  const operation = record(newest.operationName)
  const timestamps = Object.fromEntries(
    events.map((event) => [word(record(event.status).value) || 'Unknown', word(event.eventTimestamp)]),
  )
  const outcome = word(record(newest.status).localizedValue) || word(record(newest.status).value)
  return {
    item: { externalId: about.id, type: about.type },
    changeType: word(operation.value),
    externalChangeId: key,
    // The rest of an operation may come with the next scrape.
    updateExisting: true,
    severity: severities[word(newest.level)] ?? 'info',
    summary: `${word(operation.localizedValue) || word(operation.value)}${outcome ? `: ${outcome}` : ''}`,
    source: 'Azure activity log',
    createdBy: word(newest.caller) || undefined,
    createdAt: new Date(at(oldest)),
    details: { ...newest, timestamps },
  }
}
