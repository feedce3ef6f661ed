import { enumOf, flag, labelPairs, searchParams, sorting, triState } from '@/lib/search-params.ts'
import type { Side } from './related-config.ts'

/** What the Relationships tab keeps in the address. */
export const relationFilters = searchParams({
  outgoing: flag(true),
  incoming: flag(true),
  soft: flag(false),
  hideDeleted: flag(true),
  configTypes: triState({}, 'type'),
  labels: labelPairs(),
  relationship: triState(),
  status: triState(),
  health: triState(),
  view: enumOf(['table', 'graph'], 'table'),
  sort: sorting(),
})
export type RelationFilters = ReturnType<typeof relationFilters.read>

export const narrowing = ['configTypes', 'labels', 'relationship', 'status', 'health'] as const

type Directions = Pick<RelationFilters, 'outgoing' | 'incoming'>

/** Which way the server walks; with neither direction it goes out. */
export function typeFilterOf({ outgoing, incoming }: Directions): 'all' | Side {
  if (outgoing && incoming) return 'all'
  return incoming ? 'incoming' : 'outgoing'
}

/** Switches one direction; the last one that is on hands over to the other, because looking nowhere shows nothing. */
export function toggled({ outgoing, incoming }: Directions, side: Side): Directions {
  const next = { outgoing, incoming, [side]: side === 'outgoing' ? !outgoing : !incoming }
  if (next.outgoing || next.incoming) return next
  return { outgoing: side === 'incoming', incoming: side === 'outgoing' }
}
