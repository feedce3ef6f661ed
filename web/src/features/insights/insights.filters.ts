import { number, optional, searchParams, sorting, text } from '@/lib/search-params.ts'

/** What the lists of insights keep in the address. */
export const insightFilters = searchParams({
  status: text('', { dropAll: true }),
  severity: text('', { dropAll: true }),
  type: text('', { dropAll: true }),
  configType: text('', { dropAll: true }),
  analyzer: text('', { dropAll: true }),
  component: text('', { dropAll: true }),
  pageSize: number(50, { min: 1, max: 1000 }),
  pageIndex: number(0, { min: 0 }),
  sort: sorting({ id: 'first_observed', desc: true }),
  /** The insight whose details are open. */
  insight: optional(),
})

/** Filters that narrow a list; the rest is place and order. */
export const narrowing = ['status', 'severity', 'type', 'configType', 'analyzer', 'component'] as const
