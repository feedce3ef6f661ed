import type { SearchAnswer, SearchHit, SearchKind } from '@quarterdeck/contract/search'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Access } from '@/api/access.tsx'
import { client } from '@/api/client.ts'
import { paths } from '../paths.ts'

export type { SearchHit }

interface Kind {
  kind: SearchKind
  heading: string
  to: (id: string) => string
  open: (access: Access) => boolean
}

/** What the palette finds, in the order it shows it, and for whom. */
export const kinds: Kind[] = [
  {
    kind: 'check',
    heading: 'Checks',
    to: (id) => paths.check(id),
    open: (a) => a.has('health') && a.can('read', 'canaries'),
  },
  { kind: 'config', heading: 'Catalog', to: paths.config, open: (a) => a.has('config') && a.can('read', 'database') },
  {
    kind: 'component',
    heading: 'Components',
    to: paths.component,
    open: (a) => a.has('topology') && a.can('read', 'topologies'),
  },
  {
    kind: 'incident',
    heading: 'Incidents',
    to: paths.incident,
    open: (a) => a.has('incidents') && a.can('read', 'incident'),
  },
  {
    kind: 'playbook',
    heading: 'Playbooks',
    to: paths.runsOfPlaybook,
    open: (a) => a.has('playbooks') && a.can('read', 'playbooks'),
  },
]

interface Resource {
  id: string
  name: string
  type?: string
  namespace?: string
}

// A server of the reference API has no search of its own, but finds resources by the beginning of their name.
async function searchResources(text: string, signal: AbortSignal): Promise<SearchHit[]> {
  const selector = [{ search: text, agent: 'all' }]
  const found = await client('root').post<Record<'checks' | 'configs' | 'components', Resource[] | undefined>>(
    '/resources/search',
    { checks: selector, configs: selector, components: selector },
    { signal },
  )
  const hits = (kind: SearchKind, items: Resource[] = []): SearchHit[] =>
    items.slice(0, 5).map(({ id, name, type, namespace }) => ({
      kind,
      id,
      name,
      type: type ?? null,
      detail: namespace ?? null,
      status: null,
    }))
  return [...hits('check', found.checks), ...hits('config', found.configs), ...hits('component', found.components)]
}

/** Hits for what was typed; the ones before stay until the new ones come. */
export const searchQuery = (text: string, ownSearch: boolean) =>
  queryOptions({
    queryKey: ['search', text, ownSearch],
    queryFn: async ({ signal }) =>
      ownSearch
        ? (await client('root').get<SearchAnswer>('/v1/search', { query: { q: text }, signal })).results
        : searchResources(text, signal),
    enabled: text !== '',
    staleTime: 30_000,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  })
