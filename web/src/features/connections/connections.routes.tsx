import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

export const routes: AreaRoute[] = [
  {
    path: paths.connections,
    title: 'Connections',
    access: read('connections'),
    feature: 'settings.connections',
    page: () => import('./connections-page.tsx').then((module) => module.ConnectionsPage),
  },
]
