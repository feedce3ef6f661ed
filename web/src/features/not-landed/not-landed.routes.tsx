import type { Feature } from '@quarterdeck/contract/features'
import type { Resource } from '@quarterdeck/contract/permissions'
import { type AreaRoute, type PageLoader, read } from '@/app/area-route.ts'
import { paths } from '@/app/paths.ts'

// Addresses whose area has not landed. An area that lands takes its records from here into its own routes file;
// until that is done, a record of an area with the same path wins over the one here.

/** A page that says what will be shown here, and nothing else. */
const promises =
  (about: string): PageLoader =>
  async () =>
    (await import('./not-landed-page.tsx')).notLandedPage(about)

const topology =
  'Components of your systems as a tree, each with its health, the checks behind it and its open incidents.'
const incident = 'What broke, who works on it, what they think the cause is, and the evidence for it.'
const playbooks = { access: read('playbooks'), feature: 'playbooks' } as const

const areas: AreaRoute[] = [
  { path: '/topology', title: 'Topology', access: read('database'), feature: 'topology', page: promises(topology) },
  {
    path: '/topology/:id',
    title: 'Component',
    access: read('database'),
    feature: 'topology',
    page: promises(topology),
  },
  {
    path: '/view/topology/:id',
    title: 'Topology view',
    access: read('topologies'),
    frame: 'standalone',
    page: promises('One component and what is below it, without menu and header, for screens on a wall.'),
  },
  {
    path: '/health',
    title: 'Health',
    access: read('canaries'),
    feature: 'health',
    page: promises('Every health check with its state, uptime and latency, grouped and filtered as you need it.'),
  },
  { path: '/incidents', title: 'Incidents', access: read('incident'), feature: 'incidents', page: promises(incident) },
  {
    path: '/incidents/:id',
    title: 'Incident',
    access: read('incident'),
    feature: 'incidents',
    page: promises(incident),
  },
  {
    path: '/catalog/:id/playbooks',
    title: 'Playbooks',
    access: read('database'),
    feature: 'config',
    page: promises('Runs of playbooks on a catalog item.'),
  },
  {
    path: '/logs',
    title: 'Logs',
    access: read('database'),
    feature: 'logs',
    page: promises('Log lines of a component, searched and narrowed to a time range.'),
  },
  {
    path: '/playbooks',
    title: 'Playbooks',
    ...playbooks,
    page: promises('Runbooks that act on checks, components and catalog items, by category.'),
  },
  {
    path: '/playbooks/runs',
    title: 'Runs',
    ...playbooks,
    access: read('playbook_runs'),
    page: promises('Runs of playbooks with their state, duration and who started them.'),
  },
  {
    path: '/playbooks/runs/:id',
    title: 'Run',
    ...playbooks,
    access: read('playbook_runs'),
    page: promises('One run of a playbook: its steps, parameters and output.'),
  },
]

const settings: AreaRoute[] = [
  {
    path: paths.agents,
    title: 'Agents',
    access: read('agents'),
    feature: 'agents',
    page: promises('Agents in other clusters that send their data here, and when each was last seen.'),
  },
]

interface Table {
  table: string
  title: string
  item: string
  resource: Resource
  feature?: Feature
  about: string
}
const tables: Table[] = [
  {
    table: 'canaries',
    title: 'Health Checks',
    item: 'Health check',
    resource: 'canaries',
    feature: 'settings.health',
    about: 'Definitions of health checks: what is checked, how often, and what counts as healthy.',
  },
]

export const routes: AreaRoute[] = [
  ...areas,
  ...settings,
  ...tables.flatMap(({ table, title, item: one, resource, feature, about }): AreaRoute[] => [
    { path: paths.settingsTable(table), title, access: read(resource), feature, page: promises(about) },
    { path: `/settings/${table}/:id`, title: one, access: read(resource), feature, page: promises(about) },
  ]),
]
