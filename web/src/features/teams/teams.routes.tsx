import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

const shared = { access: read('database'), feature: 'settings.teams' } as const

export const routes: AreaRoute[] = [
  {
    path: paths.settingsTable('teams'),
    title: 'Teams',
    ...shared,
    page: () => import('./teams-page.tsx').then((module) => module.TeamsPage),
  },
  {
    path: '/settings/teams/:id',
    title: 'Team',
    ...shared,
    page: () => import('./team-page.tsx').then((module) => module.TeamPage),
  },
]
