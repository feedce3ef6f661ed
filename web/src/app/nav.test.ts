import { features } from '@quarterdeck/contract/features'
import { can, effectiveRoles, type Role, roles } from '@quarterdeck/contract/permissions'
import { describe, expect, test } from 'vitest'
import { accessOf } from '@/api/access.tsx'
import { referenceServer } from '@/api/capabilities.ts'
import { homeOf, navOf } from './nav.ts'
import { findRoute } from './route-table.ts'
import { routeTable } from './routes.tsx'

const main = ['Dashboard', 'Health', 'Incidents', 'Catalog', 'Logs', 'Playbooks']
const settings = [
  'Agents',
  'Catalog Scrapers',
  'Connections',
  'Event Queue',
  'Feature Flags',
  'Health Checks',
  'Integrations',
  'Jobs History',
  'Log Backends',
  'Notifications',
  'Rules',
  'Teams',
  'Topologies',
  'Users',
]

function menu(stored: readonly (string | null)[], disabled: string[] = [], deployment: 'full' | 'health' = 'full') {
  const me = { user: { id: '1', name: 'Ada' }, roles: effectiveRoles(stored) }
  const properties = disabled.map((feature) => ({
    name: `${feature}.disable`,
    value: 'true',
    source: 'db',
    description: '',
  }))
  const nav = navOf(routeTable, accessOf(me, properties, { ...referenceServer, deployment }))
  return { nav, main: nav.main.map(({ label }) => label), settings: nav.settings.map(({ label }) => label) }
}

describe('menu', () => {
  test('[SHELL-11] an administrator sees every item', () => {
    expect(menu(['admin']).main).toEqual(main)
  })

  test('[SHELL-12] the settings submenu holds every section, sorted by name', () => {
    expect(menu(['admin']).settings).toEqual(settings)
    expect([...settings].sort((a, b) => a.localeCompare(b))).toEqual(settings)
  })

  test.each(roles)('[SHELL-13] %s sees exactly the items whose resource may be read', (role: Role) => {
    const seen = menu([role])
    const readable = (to: string) => {
      const [action, resource] = findRoute(routeTable, to)!.route.access!
      return can([role], action, resource)
    }
    const all = menu(['admin']).nav
    expect(seen.main).toEqual(all.main.filter((item) => readable(item.to)).map((item) => item.label))
    const expected = role === 'viewer' ? [] : all.settings.filter((item) => readable(item.to)).map((item) => item.label)
    expect(seen.settings).toEqual(expected)
  })

  test('[SHELL-13] an editor has neither connections nor users', () => {
    expect(menu(['editor']).settings).toEqual(settings.filter((label) => !['Connections', 'Users'].includes(label)))
  })

  test.each([[['viewer']], [[]], [['everyone']], [[null]]])('[SHELL-15] %j has no settings submenu', (stored) => {
    expect(menu(stored).settings).toEqual([])
    expect(menu(stored).main).toEqual(main)
  })

  test('an administrator who is also a viewer keeps the settings', () => {
    expect(menu(['viewer', 'admin']).settings).toEqual(settings)
  })

  const gone: Record<string, string[]> = {
    topology: ['Dashboard', 'Topologies'],
    health: ['Health', 'Health Checks', 'Jobs History'],
    incidents: ['Incidents'],
    config: ['Catalog', 'Catalog Scrapers'],
    logs: ['Logs'],
    playbooks: ['Playbooks'],
    agents: ['Agents'],
    'settings.connections': ['Connections'],
    'settings.users': ['Users'],
    'settings.teams': ['Teams'],
    'settings.rules': ['Rules'],
    'settings.config_scraper': ['Catalog Scrapers'],
    'settings.topology': ['Topologies'],
    'settings.health': ['Health Checks'],
    'settings.job_history': ['Jobs History'],
    'settings.feature_flags': ['Feature Flags'],
    'settings.logging_backends': ['Log Backends'],
    'settings.event_queue_status': ['Event Queue'],
    'settings.organization_profile': [],
    'settings.notifications': ['Notifications'],
    'settings.playbooks': [],
    'settings.integrations': ['Integrations'],
  }
  test.each(features)('[SHELL-14] [FLAG-03] %s.disable takes away its items and those of its dependents', (feature) => {
    const seen = menu(['admin'], [feature])
    const missing = [...main, ...settings].filter((label) => ![...seen.main, ...seen.settings].includes(label))
    expect(missing).toEqual(gone[feature])
  })

  test('[MODE-05] a server with only the health part has only its menu, and opens on it', () => {
    const seen = menu(['admin'], [], 'health')
    expect(seen.main).toEqual(['Health'])
    expect(seen.settings).toContain('Health Checks')
    for (const label of ['Catalog Scrapers', 'Integrations', 'Log Backends', 'Rules', 'Topologies']) {
      expect(seen.settings).not.toContain(label)
    }
    expect(homeOf(seen.nav)).toBe('/health')
  })

  test('[SHELL-01] the start page is the dashboard, or the first page that is left', () => {
    expect(homeOf(menu(['viewer']).nav)).toBe('/topology')
    expect(homeOf(menu(['viewer'], ['topology']).nav)).toBe('/health')
    expect(
      homeOf(menu(['viewer'], ['topology', 'health', 'incidents', 'config', 'logs', 'playbooks']).nav),
    ).toBeUndefined()
  })
})
