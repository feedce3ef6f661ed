import { relativeRange } from '@quarterdeck/contract/time-range'
import { type TriState } from '@quarterdeck/contract/tri-state'
import { type Codec, paging, searchParams, sorting, text, timeRange, triState } from '@/lib/search-params.ts'
import { toOptions } from '@/ui/option.ts'

const withoutSuccesses: TriState = { SUCCESS: -1 }
const stored = triState(withoutSuccesses)

/** Successes are hidden unless the address says otherwise, so "no status filter" needs a word of its own. */
const statuses: Codec<TriState> = {
  ...stored,
  read: (get, name) => (get(name)?.toLowerCase() === 'all' ? {} : stored.read(get, name)),
  write: (value, name) => (Object.keys(value).length === 0 ? { [name]: 'all' } : stored.write(value, name)),
}

export const jobFilters = searchParams({
  name: triState(),
  resource_type: triState(),
  status: statuses,
  runDuration: text(''),
  range: timeRange(relativeRange('2d')),
  sort: sorting({ id: 'created_at', desc: true }),
  ...paging(),
})

export const resourceTypes = toOptions(['canary', 'topology', 'config_scraper'])

const durations: Record<string, { label: string; ms: number }> = {
  '1s': { label: 'over 1 second', ms: 1000 },
  '5s': { label: 'over 5 seconds', ms: 5000 },
  '10s': { label: 'over 10 seconds', ms: 10_000 },
  '30s': { label: 'over 30 seconds', ms: 30_000 },
  '1m': { label: 'over 1 minute', ms: 60_000 },
  '5m': { label: 'over 5 minutes', ms: 300_000 },
  '10m': { label: 'over 10 minutes', ms: 600_000 },
  '30m': { label: 'over 30 minutes', ms: 1_800_000 },
  '1h': { label: 'over 1 hour', ms: 3_600_000 },
}
export const runDurations = Object.entries(durations).map(([value, { label }]) => ({ value, label }))

/** Milliseconds of a chosen run duration; anything else filters nothing. */
export const runMillis = (chosen: string): number | undefined =>
  Object.hasOwn(durations, chosen) ? durations[chosen]?.ms : undefined
