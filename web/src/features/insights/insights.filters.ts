import { optional, paging, searchParams, sorting, text } from '@/lib/search-params.ts'

/** What the lists of insights keep in the address. */
export const insightFilters = searchParams({
  status: text('', { dropAll: true }),
  severity: text('', { dropAll: true }),
  type: text('', { dropAll: true }),
  configType: text('', { dropAll: true }),
  analyzer: text('', { dropAll: true }),
  component: text('', { dropAll: true }),
  ...paging(),
  sort: sorting({ id: 'first_observed', desc: true }),
  /** The insight whose details are open. */
  insight: optional(),
})

/** Filters that narrow the list of an item, and of the whole catalog; the rest is place and order. */
export const itemNarrowing = ['status', 'severity', 'type', 'analyzer'] as const
export const narrowing = [...itemNarrowing, 'configType', 'component'] as const
