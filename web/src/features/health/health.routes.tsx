import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'
import { summaryQuery } from './health.queries.ts'

export const routes: AreaRoute[] = [
  {
    path: paths.health,
    title: 'Health',
    access: read('canaries'),
    feature: 'health',
    page: () => import('./health-page.tsx').then((module) => module.HealthPage),
    prefetch: (queries) => queries.prefetchQuery(summaryQuery),
  },
]
