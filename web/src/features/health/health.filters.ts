import { isHealthRange, type HealthRange } from '@quarterdeck/contract/time-range'
import { type Codec, enumOf, flag, optional, searchParams, sorting, text, triStateMap } from '@/lib/search-params.ts'
import { pivotCellTypes } from './pivot.ts'

/** A health range that may be absent: the dashboard then shows 1h, the drawer what fits its check. */
const healthRange: Codec<HealthRange | undefined> = {
  parameters: (name) => [name],
  read: (get, name) => {
    const value = get(name)
    return isHealthRange(value) ? value : undefined
  },
  write: (value, name) => ({ [name]: value }),
}

/** Everything /health keeps in its address. */
export const healthFilters = searchParams({
  timeRange: healthRange,
  checkId: optional(),
  layout: enumOf(['table', 'card'], 'table'),
  labels: triStateMap(),
  query: text(''),
  sort: sorting(undefined, { descFlag: true }),
  pivotBy: text('', { dropAll: true }),
  pivotLabel: text(''),
  pivotCellType: enumOf(pivotCellTypes, 'health'),
  groupBy: text('canary_name'),
  tabBy: text('namespace'),
  tab: text('', { dropAll: true }),
  hidePassing: flag(true),
})
