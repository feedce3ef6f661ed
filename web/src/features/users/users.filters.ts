import { enumOf, list, optional, paging, searchParams, sorting, text, timeRange } from '@/lib/search-params.ts'

const page = paging({ max: 500 })

export const userFilters = searchParams({
  tab: enumOf(['users', 'audit'], 'users'),
  query: text(''),
  sort: sorting({ id: 'created_at', desc: true }),
  ...page,
  /** Whose access is explained. */
  person: optional(),
})

export const auditFilters = searchParams({
  query: text(''),
  action: list(),
  outcome: enumOf(['', 'success', 'failure'], ''),
  range: timeRange(),
  ...page,
})

const most = 50

/** Names in a dropdown: at most 50 characters and an ellipsis. */
export const cutName = (name: string): string => {
  const letters = [...name]
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : name
}
