import type { Feature } from '@quarterdeck/contract/features'
import type { Resource } from '@quarterdeck/contract/permissions'
import { type AreaRoute, type PageLoader, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

// What a table's pages hold is declared in entities/settings-resource/kinds; here is only who may come in.
interface Table {
  table: string
  title: string
  item: string
  resource: Resource
  feature: Feature
}

const tables: Table[] = [
  { table: 'topologies', title: 'Topologies', item: 'Topology', resource: 'topologies', feature: 'settings.topology' },
  {
    table: 'logging_backends',
    title: 'Log Backends',
    item: 'Log backend',
    resource: 'logging_backends',
    feature: 'settings.logging_backends',
  },
  {
    table: 'properties',
    title: 'Properties',
    item: 'Property',
    resource: 'feature_flags',
    feature: 'settings.feature_flags',
  },
  { table: 'incident_rules', title: 'Rules', item: 'Rule', resource: 'database', feature: 'settings.rules' },
]

const page =
  (table: string, which: 'listOf' | 'itemOf'): PageLoader =>
  async () =>
    (await import('./resource-pages.tsx'))[which](table)

export const routes: AreaRoute[] = [
  {
    path: paths.notifications,
    title: 'Notifications',
    crumbTo: paths.jobs,
    access: read('notifications'),
    feature: 'settings.notifications',
    page: async () => (await import('./resource-pages.tsx')).NotificationsPage,
  },
  ...tables.flatMap(({ table, title, item, resource, feature }): AreaRoute[] => [
    {
      path: paths.settingsTable(table),
      title,
      access: read(resource),
      feature,
      page: page(table, 'listOf'),
      prefetch: async (queries) => (await import('./resource-pages.tsx')).prefetch(queries, table),
    },
    { path: `/settings/${table}/:id`, title: item, access: read(resource), feature, page: page(table, 'itemOf') },
  ]),
]
