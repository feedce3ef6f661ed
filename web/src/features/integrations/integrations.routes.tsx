import { type AreaRoute, read, write } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

export const routes: AreaRoute[] = [
  {
    path: paths.integrations,
    title: 'Integrations',
    access: read('integrations'),
    feature: 'settings.integrations',
    page: () => import('./integrations-page.tsx').then((module) => module.IntegrationsPage),
    prefetch: async (queries) => {
      const { integrationsQuery } = await import('./integrations.queries.ts')
      return queries.prefetchQuery(integrationsQuery({ search: '', type: '', pageIndex: 0, pageSize: 50 }))
    },
  },
  {
    path: '/settings/integrations/:type/:id',
    title: 'Integration',
    access: write('integrations'),
    feature: 'settings.integrations',
    page: () => import('./integration-page.tsx').then((module) => module.IntegrationPage),
  },
]
