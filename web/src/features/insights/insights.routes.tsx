import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

const shared = { title: 'Insights', access: read('database'), feature: 'config' } as const

export const routes: AreaRoute[] = [
  {
    path: '/catalog/:id/insights',
    ...shared,
    page: () => import('./config-insights-page.tsx').then((module) => module.ConfigInsightsPage),
  },
  {
    path: paths.catalogInsights,
    ...shared,
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
