import { enumOf, list, number, optional, searchParams, sorting, text, timeRange } from '@/lib/search-params.ts'

export const userFilters = searchParams({
  tab: enumOf(['users', 'audit'], 'users'),
  query: text(''),
  sort: sorting({ id: 'created_at', desc: true }),
  pageIndex: number(0, { min: 0 }),
  pageSize: number(50, { min: 1, max: 500 }),
  /** Whose access is explained. */
  person: optional(),
  action: list(),
  outcome: enumOf(['', 'success', 'failure'], ''),
  range: timeRange(),
})

const most = 50

/** Names in a dropdown: at most 50 characters and an ellipsis. */
export const cutName = (name: string): string => {
  const letters = [...name]
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : name
}
