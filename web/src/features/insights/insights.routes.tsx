import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

// Nobody is told that something failed which they only pointed at.
const quiet = { quiet: true }

const shared = { title: 'Insights', access: read('database'), feature: 'config' } as const

export const routes: AreaRoute[] = [
  {
    path: '/catalog/:id/insights',
    ...shared,
    page: () => import('./config-insights-page.tsx').then((module) => module.ConfigInsightsPage),
    prefetch: async (queries, address, { id: configId }) => {
      const [{ insightFilters }, { insightsQuery }] = await Promise.all([
        import('./insights.filters.ts'),
        import('./insights.queries.ts'),
      ])
      const { status, severity, type, analyzer, pageIndex, pageSize, sort } = insightFilters.read(address.searchParams)
      const list = { status, severity, type, analyzer, pageIndex, pageSize, sort, configId }
      return configId ? queries.prefetchQuery({ ...insightsQuery(list), meta: quiet }) : undefined
    },
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
      return queries.prefetchQuery({ ...insightsQuery(list), meta: quiet })
    },
  },
]
