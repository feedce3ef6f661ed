import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

const shared = { access: read('canaries'), feature: 'settings.health' } as const

export const routes: AreaRoute[] = [
  {
    path: paths.settingsTable('canaries'),
    title: 'Health Checks',
    ...shared,
    page: () => import('./canaries-page.tsx').then((module) => module.CanariesPage),
    prefetch: async (queries) =>
      queries.prefetchQuery((await import('./canaries.queries.ts')).canariesQuery({ search: '', pageIndex: 0 })),
  },
  {
    path: '/settings/canaries/:id',
    title: 'Health check',
    ...shared,
    page: () => import('./canary-page.tsx').then((module) => module.CanaryPage),
  },
]
