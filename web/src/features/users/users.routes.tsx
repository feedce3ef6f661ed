import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

export const routes: AreaRoute[] = [
  {
    path: paths.users,
    title: 'Users',
    access: read('identities'),
    feature: 'settings.users',
    page: () => import('./users-page.tsx').then((module) => module.UsersPage),
  },
]
