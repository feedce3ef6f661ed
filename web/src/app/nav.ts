import {
  Activity,
  BookOpenCheck,
  LayoutDashboard,
  type LucideIcon,
  ScrollText,
  Siren,
  SquareLibrary,
} from 'lucide-react'
import type { Access } from '@/api/access.tsx'
import type { AreaRoute } from './area-route.ts'
import { paths } from './paths.ts'
import { findRoute } from './route-table.ts'

export interface NavItem {
  label: string
  to: string
  icon?: LucideIcon
  /** The letter that goes here after `g`. */
  key?: string
}

// What an item needs to be seen is written once, on the route it leads to.
const main: NavItem[] = [
  { label: 'Dashboard', to: paths.topology, icon: LayoutDashboard, key: 'd' },
  { label: 'Health', to: paths.health, icon: Activity, key: 'h' },
  { label: 'Incidents', to: paths.incidents, icon: Siren, key: 'i' },
  { label: 'Catalog', to: paths.catalog, icon: SquareLibrary, key: 'c' },
  { label: 'Logs', to: paths.logs, icon: ScrollText, key: 'l' },
  { label: 'Playbooks', to: paths.playbooks, icon: BookOpenCheck, key: 'p' },
]

const settings: NavItem[] = [
  { label: 'Connections', to: paths.connections },
  { label: 'Jobs History', to: paths.jobs, key: 'j' },
  { label: 'Notifications', to: paths.notifications, key: 'n' },
  { label: 'Feature Flags', to: paths.featureFlags, key: 'f' },
  { label: 'Log Backends', to: paths.settingsTable('logging_backends') },
  { label: 'Event Queue', to: paths.eventQueue, key: 'e' },
  { label: 'Agents', to: paths.agents, key: 'a' },
  { label: 'Integrations', to: paths.integrations },
  { label: 'Users', to: paths.users, key: 'u' },
  { label: 'Catalog Scrapers', to: paths.settingsTable('config_scrapers') },
  { label: 'Health Checks', to: paths.settingsTable('canaries') },
  { label: 'Rules', to: paths.settingsTable('incident_rules') },
  { label: 'Teams', to: paths.settingsTable('teams'), key: 't' },
  { label: 'Topologies', to: paths.settingsTable('topologies') },
]

/** Whether a page is there for this person: allowed, and not switched off. */
export function isOpen(route: Pick<AreaRoute, 'access' | 'feature'>, access: Pick<Access, 'can' | 'has'>): boolean {
  const allowed = !route.access || access.can(...route.access)
  return allowed && (!route.feature || access.has(route.feature))
}

export interface Nav {
  main: NavItem[]
  /** Sorted by name; empty for people who have no settings menu. */
  settings: NavItem[]
}

/** The menu of one person. */
export function navOf(table: readonly AreaRoute[], access: Pick<Access, 'can' | 'has' | 'roles'>): Nav {
  const seen = (item: NavItem) => {
    const found = findRoute(table, item.to)
    return found !== undefined && isOpen(found.route, access)
  }
  const onlyViewer = access.roles.every((role) => role === 'viewer')
  return {
    main: main.filter(seen),
    settings: onlyViewer ? [] : settings.filter(seen).sort((a, b) => a.label.localeCompare(b.label)),
  }
}

/** Where `/` leads: the dashboard, or the first page there is when that one is switched off. */
export function homeOf(nav: Nav): string | undefined {
  return (nav.main[0] ?? nav.settings[0])?.to
}
