import { parseDuration } from '@quarterdeck/contract/schedule'
import type { AwsScraper } from '@quarterdeck/contract/scrapers/aws'
import { record, records, word } from '../../../../platform/kubernetes/object.ts'
import type { ScrapeResult } from '../kind.ts'
import type { Raw, Scan } from './scan.ts'

const target = 'com.amazonaws.cloudtrail.v20131101.CloudTrail_20131101.LookupEvents'
const defaultAge = 7 * 86_400_000
const usualExclusions = ['AssumeRole']
/** Fifty events a page, two pages a second: more than this would take longer than the time between scrapes. */
const mostPages = 400

/** Events that changed something, from where the last scrape ended; gives the time of the newest. */
export async function* trailOf(
  scan: Scan,
  { exclude = usualExclusions, maxAge, max_age }: NonNullable<AwsScraper['cloudtrail']>,
  since: string | undefined,
): AsyncGenerator<ScrapeResult, string> {
  const now = scan.run.startedAt.getTime()
  const age = parseDuration(maxAge ?? max_age ?? '') ?? defaultAge
  const from = Math.max(now - age, since ? Date.parse(since) : 0)
  let newest = from
  let NextToken: string | undefined
  for (let pages = 0; ; pages++) {
    if (pages >= mostPages) {
      const message = `CloudTrail has more than ${mostPages * 50} events; the older ones were left out`
      yield { error: { message, item: scan.region, partial: false } }
      break
    }
    const page = await scan.json('cloudtrail', target, {
      StartTime: Math.floor(from / 1000),
      EndTime: Math.ceil(now / 1000),
      LookupAttributes: [{ AttributeKey: 'ReadOnly', AttributeValue: 'false' }],
      MaxResults: 50,
      ...(NextToken ? { NextToken } : {}),
    })
    for (const event of records(page.Events)) {
      newest = Math.max(newest, timeOf(event))
      if (event.ReadOnly === 'true' || exclude.includes(word(event.EventName))) continue
      yield* changesOf(scan, event)
    }
    NextToken = word(page.NextToken) || undefined
    if (!NextToken) break
  }
  return new Date(newest).toISOString()
}

/** Seconds since 1970, or a text. */
const timeOf = ({ EventTime }: Raw): number =>
  typeof EventTime === 'number' ? EventTime * 1000 : Date.parse(word(EventTime)) || 0

/** An event is a change of each resource that it names and that is known. */
function* changesOf(scan: Scan, event: Raw): Iterable<ScrapeResult> {
  const details = parsed(event.CloudTrailEvent)
  const region = word(details.awsRegion) || scan.region
  const seen = new Set<string>()
  for (const { ResourceType, ResourceName } of records(event.Resources)) {
    const item = scan.known.find(word(ResourceName), word(ResourceType), region)
    if (!item || seen.has(JSON.stringify(item))) continue
    seen.add(JSON.stringify(item))
    yield {
      change: {
        item,
        changeType: word(event.EventName),
        externalChangeId: word(event.EventId),
        source: 'AWS::CloudTrail',
        summary: summaryOf(event, details),
        createdBy: word(event.Username) || undefined,
        createdAt: new Date(timeOf(event)),
        details,
      },
    }
  }
}

function summaryOf(event: Raw, details: Raw): string {
  const who = word(event.Username) || word(record(details.userIdentity).arn)
  const failure = word(details.errorCode)
  return `${word(event.EventName)}${who ? ` by ${who}` : ''}${failure ? ` failed: ${failure}` : ''}`
}

function parsed(text: unknown): Raw {
  try {
    return record(JSON.parse(word(text)))
  } catch {
    return {}
  }
}
