import { relativeRange, toDateMath, type TimeRange } from '@quarterdeck/contract/time-range'
import { tagSelector, type TriState, triStateList } from '@quarterdeck/contract/tri-state'
import { enumOf, number, optional, searchParams, sorting, text, timeRange, triState } from '@/lib/search-params.ts'

/** What changes are shown around an item: its own, those above it, those below it. */
export const scopes = ['none', 'upstream', 'downstream', 'all'] as const
export type Scope = (typeof scopes)[number]

/** Filters that cells offer and the bar has no control for. */
const cellFilters = ['id', 'summary', 'source', 'created_by', 'external_created_by'] as const

/** Everything the pages of changes keep in their address. */
export const changeFilters = searchParams({
  /** The type the catalog was narrowed to; `configTypes` is what the control of this page writes. */
  configType: text('', { dropAll: true }),
  configTypes: triState({}, 'type'),
  changeType: triState(),
  severity: triState(),
  tags: triState(),
  id: triState(),
  summary: triState(),
  source: triState(),
  created_by: triState(),
  external_created_by: triState(),
  range: timeRange(relativeRange('2d')),
  /** Only on the page of an item. */
  type_filter: enumOf(scopes, 'downstream'),
  sort: sorting({ id: 'created_at', desc: true }),
  page: number(1, { min: 1 }),
  pageSize: number(200, { min: 1, max: 2000 }),
  changeId: optional(),
})
export type ChangeFilters = ReturnType<typeof changeFilters.read>

export const narrowing = [
  'configType',
  'configTypes',
  'changeType',
  'severity',
  'tags',
  'range',
  ...cellFilters,
] as const satisfies (keyof ChangeFilters)[]

/** No filter at all; order, scope and page size stay. */
export const noFilters = {
  configType: '',
  configTypes: {},
  changeType: {},
  severity: {},
  tags: {},
  id: {},
  summary: {},
  source: {},
  created_by: {},
  external_created_by: {},
  range: changeFilters.defaults.range,
  page: 1,
} satisfies Partial<ChangeFilters>

/** The types that are asked for, whichever parameter they came in. */
export const typesOf = ({ configType, configTypes }: ChangeFilters): TriState =>
  Object.keys(configTypes).length > 0 || configType === '' ? configTypes : { [configType]: 1 }

// Commas separate items, so each is encoded by itself.
const encodedList = (value: TriState) =>
  triStateList(Object.fromEntries(Object.entries(value).map(([item, sign]) => [encodeURIComponent(item), sign])))

/** The body of the change search; keys without a value are not sent. */
export function searchBody(
  filters: ChangeFilters,
  { configId, withDeleted }: { configId?: string; withDeleted: boolean },
) {
  const { from, to } = rangeOf(filters.range)
  const recursive = configId ? filters.type_filter : 'none'
  const sort = filters.sort ?? { id: 'created_at', desc: true }
  const created_by = [encodedList(filters.created_by), encodedList(filters.external_created_by)].filter(Boolean)
  return {
    id: configId ?? (triStateList(filters.id) || undefined),
    config_type: triStateList(typesOf(filters)) || undefined,
    type: triStateList(filters.changeType) || undefined,
    severity: triStateList(filters.severity) || undefined,
    summary: encodedList(filters.summary) || undefined,
    source: encodedList(filters.source) || undefined,
    created_by: created_by.join(',') || undefined,
    tags: tagSelector(filters.tags) || undefined,
    from,
    to,
    page: filters.page,
    page_size: filters.pageSize,
    sort_by: `${sort.desc ? '-' : ''}${sort.id}`,
    recursive,
    ...(recursive === 'none' ? {} : { depth: 5 }),
    include_deleted_configs: withDeleted,
  }
}

/** A damaged range reads as the default one. */
function rangeOf(range: TimeRange) {
  try {
    return toDateMath(range)
  } catch {
    return toDateMath(relativeRange('2d'))
  }
}
