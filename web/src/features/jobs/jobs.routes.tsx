import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

export const routes: AreaRoute[] = [
  {
    path: paths.jobs,
    title: 'Jobs History',
    access: read('database'),
    feature: 'settings.job_history',
    page: () => import('./jobs-page.tsx').then((module) => module.JobsPage),
  },
  {
    path: paths.jobStatistics,
    title: 'Statistics',
    access: read('database'),
    feature: 'settings.job_history',
    page: () => import('./job-list-page.tsx').then((module) => module.JobListPage),
  },
]
