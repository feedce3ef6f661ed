import { type AreaRoute, read } from '@/app/area-route.ts'

export const routes: AreaRoute[] = [
  {
    path: '/catalog/:id/relationships',
    title: 'Relationships',
    access: read('database'),
    feature: 'config',
    page: () => import('./config-relationships-page.tsx').then((module) => module.ConfigRelationshipsPage),
    prefetch: async (queries, address, { id }) => {
      const [{ relationFilters }, { relatedQuery, rootQuery }] = await Promise.all([
        import('./relations.filters.ts'),
        import('./relations.queries.ts'),
      ])
      if (!id) return undefined
      const { outgoing, incoming, soft, hideDeleted, configTypes, status, health } = relationFilters.read(
        address.searchParams,
      )
      const list = { outgoing, incoming, soft, hideDeleted, configTypes, status, health }
      return Promise.all([queries.prefetchQuery(rootQuery(id)), queries.prefetchQuery(relatedQuery(id, list))])
    },
  },
]
