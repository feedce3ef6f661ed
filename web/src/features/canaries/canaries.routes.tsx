import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

const shared = { access: read('canaries'), feature: 'settings.health' } as const

export const routes: AreaRoute[] = [
  {
    path: paths.settingsTable('canaries'),
    title: 'Health Checks',
    ...shared,
    page: () => import('./canaries-page.tsx').then((module) => module.CanariesPage),
    prefetch: async (queries) => {
      const [{ firstPageQuery }, { canary }] = await Promise.all([
        import('@/entities/settings-resource/resource.queries.ts'),
        import('./canary-kind.ts'),
      ])
      return queries.prefetchQuery(firstPageQuery(canary))
    },
  },
  {
    path: '/settings/canaries/:id',
    title: 'Health check',
    ...shared,
    page: () => import('./canary-page.tsx').then((module) => module.CanaryPage),
  },
]
