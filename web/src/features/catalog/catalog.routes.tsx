import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

const shared = { access: read('database'), feature: 'config' } as const

/** What every page of an item shows is on its way before the page is. */
const prefetchItem: AreaRoute['prefetch'] = async (queries, _, { id }) => {
  const { configDetailQuery } = await import('@/entities/config/config.queries.ts')
  return id ? queries.prefetchQuery(configDetailQuery(id)) : undefined
}

export const routes: AreaRoute[] = [
  {
    path: paths.catalog,
    title: 'Catalog',
    ...shared,
    page: () => import('./catalog-page.tsx').then((module) => module.CatalogPage),
    prefetch: async (queries, address) => {
      const [{ catalogFilters, isFlat }, { summaryQuery }] = await Promise.all([
        import('./catalog.filters.ts'),
        import('./catalog.queries.ts'),
      ])
      const filters = catalogFilters.read(address.searchParams)
      return isFlat(filters) ? undefined : queries.prefetchQuery(summaryQuery(filters, false))
    },
  },
  {
    path: paths.catalogChanges,
    title: 'Changes',
    ...shared,
    page: () => import('./changes/changes-page.tsx').then((module) => module.ChangesPage),
  },
  {
    path: '/catalog/:id',
    title: 'Catalog item',
    ...shared,
    page: () => import('./item/config-tab.tsx').then((module) => module.ConfigDocumentPage),
    prefetch: prefetchItem,
  },
  {
    path: '/catalog/:id/changes',
    title: 'Changes',
    ...shared,
    page: () => import('./item/config-changes-tab.tsx').then((module) => module.ConfigChangesPage),
    prefetch: prefetchItem,
  },
  {
    path: '/catalog/:id/checks',
    title: 'Checks',
    ...shared,
    page: () => import('./item/config-checks-tab.tsx').then((module) => module.ConfigChecksPage),
    prefetch: prefetchItem,
  },
]
