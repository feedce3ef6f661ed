import { type AreaRoute, read } from '@/app/area-route.ts'

export const routes: AreaRoute[] = [
  {
    path: '/catalog/:id/relationships',
    title: 'Relationships',
    access: read('database'),
    feature: 'config',
    page: () => import('./config-relationships-page.tsx').then((module) => module.ConfigRelationshipsPage),
  },
]
