import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

export const routes: AreaRoute[] = [
  {
    path: paths.catalogInsights,
    title: 'Insights',
    access: read('database'),
    feature: 'config',
    page: () => import('./insights-page.tsx').then((module) => module.InsightsPage),
    prefetch: async (queries, address) => {
      const [{ insightFilters }, { insightsQuery }] = await Promise.all([
        import('./insights.filters.ts'),
        import('./insights.queries.ts'),
      ])
      const { insight: _, ...list } = insightFilters.read(address.searchParams)
      return queries.prefetchQuery(insightsQuery(list))
    },
  },
]
