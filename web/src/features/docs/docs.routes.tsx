import { type AreaRoute, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

export const routes: AreaRoute[] = [
  {
    path: paths.docs,
    title: 'Documentation',
    access: read('database'),
    page: () => import('./docs-page.tsx').then((module) => module.DocsIndexPage),
  },
  {
    path: '/docs/:name',
    title: 'Document',
    access: read('database'),
    page: () => import('./docs-page.tsx').then((module) => module.DocsPage),
  },
]
