import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '@/api/client.ts'
import { from } from '@/api/data-api.ts'

export type ResourceKind = 'config' | 'component' | 'check'

/** Something of the catalog, the topology or the checks, as pickers and links show it. */
export interface Resource {
  id: string
  name: string
  type?: string | null
  icon?: string | null
  namespace?: string | null
  tags?: Record<string, string> | null
  status?: string | null
}

/** What a playbook or parameter allows; sent to the server as it is written there. */
export type Selector = Record<string, unknown>

const plural = { config: 'configs', component: 'components', check: 'checks' } as const
const relations = { config: 'configs', component: 'component_names', check: 'checks' } as const
const columns = {
  config: 'id,name,type,tags',
  component: 'id,name,type,icon',
  check: 'id,name,type,icon,namespace,status',
} as const
const most = 50

/** Resources by a part of their name; with selectors the server also decides which of them are allowed. */
export const resourceSearchQuery = (kind: ResourceKind, search: string, selectors?: readonly Selector[]) =>
  queryOptions({
    queryKey: [plural[kind], 'search', search, selectors ?? null],
    queryFn: ({ signal }) =>
      selectors && selectors.length > 0 ? bySelector(kind, search, selectors, signal) : byName(kind, search, signal),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    meta: { relations: [relations[kind]] },
  })

async function byName(kind: ResourceKind, search: string, signal: AbortSignal): Promise<Resource[]> {
  const query = from<Resource>(relations[kind]).select(columns[kind])
  const living = kind === 'component' ? query : query.isNull('deleted_at')
  return living
    .when(search.trim(), (q, text) => q.where('name', 'ilike', `*${text}*`))
    .order('name.asc')
    .limit(most)
    .rows({ signal })
}

async function bySelector(
  kind: ResourceKind,
  search: string,
  selectors: readonly Selector[],
  signal: AbortSignal,
): Promise<Resource[]> {
  const wanted = selectors.map((selector) => (search.trim() ? { ...selector, search: search.trim() } : selector))
  const found = await client('root').post<Partial<Record<string, Resource[]>>>(
    '/resources/search',
    { [plural[kind]]: wanted },
    { signal },
  )
  return found[plural[kind]] ?? []
}

/** One resource by id, for the label of a chosen value and for links. */
export const resourceQuery = (kind: ResourceKind, id: string) =>
  queryOptions({
    queryKey: [plural[kind], 'name', id],
    queryFn: ({ signal }) => from<Resource>(relations[kind]).select(columns[kind]).eq('id', id).first({ signal }),
    meta: { relations: [relations[kind]], ids: [id], quiet: true },
  })
