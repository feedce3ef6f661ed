import { describe, expect, test } from 'vitest'
import { paths } from './paths.ts'
import { crumbsOf, findRoute, mergeRoutes } from './route-table.ts'
import { pageTitle, titleSuffix } from './page-title.ts'
import { redirects, routeTable } from './routes.tsx'

const sample = (pattern: string) => pattern.replaceAll(/:(\w+)/g, '$1')

/** The route table of the specification, with the words of its placeholders. */
const specified = `
  /topology /topology/id /view/topology/id /health /incidents /incidents/id /logs
  /catalog /catalog/changes /catalog/insights /catalog/scrapers /catalog/scrapers/id
  /catalog/id /catalog/id/changes /catalog/id/insights /catalog/id/relationships /catalog/id/playbooks /catalog/id/checks
  /playbooks /playbooks/runs /playbooks/runs/id
  /settings/connections /settings/users /settings/jobs /settings/notifications /settings/feature-flags
  /settings/event-queue-status /settings/agents /settings/integrations /settings/integrations/type/id
  /settings/topologies /settings/topologies/id /settings/logging_backends /settings/logging_backends/id
  /settings/properties /settings/properties/id /settings/canaries /settings/canaries/id
  /settings/config_scrapers /settings/config_scrapers/id /settings/incident_rules /settings/incident_rules/id
  /settings/teams /settings/teams/id
  /login /recovery /registration /verification /profile-settings /auth-state-checker /organizations/orgs-switched
  /error /error/id
`
  .trim()
  .split(/\s+/)

describe('route table', () => {
  test('every address of the specification is there', () => {
    expect(specified.filter((path) => !findRoute(routeTable, path))).toEqual([])
  })

  test('every path with its breadcrumbs and what it asks for', () => {
    const lines = routeTable
      .map((route) => {
        const at = sample(route.path)
        const crumbs = crumbsOf(routeTable, at).map(({ label }) => label)
        return [at, crumbs.join(' › '), route.access?.join(' ') ?? 'open', route.feature ?? '-'].join(' | ')
      })
      .sort()
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "/auth-state-checker | Checking your session | open | -
      /catalog | Catalog | read database | config
      /catalog/changes | Catalog › Changes | read database | config
      /catalog/id | Catalog › Catalog item | read database | config
      /catalog/id/changes | Catalog › Catalog item › Changes | read database | config
      /catalog/id/checks | Catalog › Catalog item › Checks | read database | config
      /catalog/id/insights | Catalog › Catalog item › Insights | read database | config
      /catalog/id/playbooks | Catalog › Catalog item › Playbooks | read database | config
      /catalog/id/relationships | Catalog › Catalog item › Relationships | read database | config
      /catalog/insights | Catalog › Insights | read database | config
      /catalog/scrapers | Catalog › Scrapers | read database | config
      /catalog/scrapers/id | Catalog › Scrapers › Scraper | read database | config
      /docs | Documentation | read database | -
      /docs/name | Documentation › Document | read database | -
      /error | Error | open | -
      /error/id | Error › Error | open | -
      /health | Health | read canaries | health
      /incidents | Incidents | read incident | incidents
      /incidents/id | Incidents › Incident | read incident | incidents
      /login | Login | open | -
      /logs | Logs | read database | logs
      /organizations/orgs-switched | Switching organisation | open | -
      /playbooks | Playbooks | read playbooks | playbooks
      /playbooks/runs | Playbooks › Runs | read playbook_runs | playbooks
      /playbooks/runs/id | Playbooks › Runs › Run | read playbook_runs | playbooks
      /profile-settings | Profile Management and Security Settings | open | -
      /recovery | Recovery | open | -
      /registration | Register | open | -
      /settings/agents | Settings › Agents | read agents | agents
      /settings/canaries | Settings › Health Checks | read canaries | settings.health
      /settings/canaries/id | Settings › Health Checks › Health check | read canaries | settings.health
      /settings/config_scrapers | Settings › Catalog Scrapers | read config_scrapers | settings.config_scraper
      /settings/config_scrapers/id | Settings › Catalog Scrapers › Catalog scraper | read config_scrapers | settings.config_scraper
      /settings/connections | Settings › Connections | read connections | settings.connections
      /settings/event-queue-status | Settings › Event Queue | read database | settings.event_queue_status
      /settings/feature-flags | Settings › Feature Flags | read feature_flags | settings.feature_flags
      /settings/incident_rules | Settings › Rules | read database | settings.rules
      /settings/incident_rules/id | Settings › Rules › Rule | read database | settings.rules
      /settings/integrations | Settings › Integrations | read integrations | settings.integrations
      /settings/integrations/type/id | Settings › Integrations › Integration | write integrations | settings.integrations
      /settings/jobs | Settings › Jobs History | read database | settings.job_history
      /settings/jobs/statistics | Settings › Jobs History › Statistics | read database | settings.job_history
      /settings/logging_backends | Settings › Log Backends | read logging_backends | settings.logging_backends
      /settings/logging_backends/id | Settings › Log Backends › Log backend | read logging_backends | settings.logging_backends
      /settings/notifications | Settings › Notifications | read notifications | settings.notifications
      /settings/properties | Settings › Properties | read feature_flags | settings.feature_flags
      /settings/properties/id | Settings › Properties › Property | read feature_flags | settings.feature_flags
      /settings/teams | Settings › Teams | read database | settings.teams
      /settings/teams/id | Settings › Teams › Team | read database | settings.teams
      /settings/topologies | Settings › Topologies | read topologies | settings.topology
      /settings/topologies/id | Settings › Topologies › Topology | read topologies | settings.topology
      /settings/users | Settings › Users | read identities | settings.users
      /topology | Topology | read database | topology
      /topology/id | Topology › Component | read database | topology
      /verification | Verification | open | -
      /view/topology/id | Topology view | read topologies | -"
    `)
  })

  test('a path without placeholders wins over one with', () => {
    expect(findRoute(routeTable, '/catalog/changes')?.route.path).toBe('/catalog/changes')
    expect(findRoute(routeTable, '/catalog/0190')?.route.path).toBe('/catalog/:id')
    expect(findRoute(routeTable, '/playbooks/runs')?.route.path).toBe('/playbooks/runs')
    expect(findRoute(routeTable, '/nowhere')).toBeUndefined()
  })

  test('an area that landed replaces the promise, and two areas cannot claim one path', () => {
    const page = () => Promise.reject(new Error('not needed'))
    const promised = [{ path: '/health', title: 'Promised', page }]
    const landed = [{ path: '/health', title: 'Landed', page }]
    expect(mergeRoutes(landed, promised).map(({ title }) => title)).toEqual(['Landed'])
    expect(() => mergeRoutes([...landed, ...landed], [])).toThrow('Two areas claim /health')
  })

  test('pages of one thing are called by its name', () => {
    const nameOf = (pathname: string) => (pathname === '/catalog/1' ? 'web-1' : undefined)
    expect(crumbsOf(routeTable, '/catalog/1/changes', nameOf)).toEqual([
      { label: 'Catalog', to: '/catalog' },
      { label: 'web-1', to: '/catalog/1' },
      { label: 'Changes', to: '/catalog/1/changes' },
    ])
  })

  test('[SHELL-08] every title ends with the same suffix', () => {
    for (const { path } of routeTable) {
      const title = pageTitle(crumbsOf(routeTable, sample(path)).map(({ label }) => label))
      expect(title.endsWith(titleSuffix)).toBe(true)
      expect(title.length).toBeGreaterThan(titleSuffix.length)
    }
  })

  test('every redirect leads to a page', () => {
    for (const [from, to] of Object.entries(redirects)) {
      const target = typeof to === 'string' ? to : to({ id: '1', '*': 'changes' })
      expect([from, findRoute(routeTable, target.split('?')[0]!) !== undefined]).toEqual([from, true])
    }
  })

  test('every link of paths.ts leads to a page', () => {
    const elsewhere = ['/', '/settings', '/api/kubeconfig']
    const links = Object.values(paths).map((path) =>
      typeof path === 'string' ? path : (path as (...ids: unknown[]) => string)('teams', 'y'),
    )
    const lost = links.map((link) => link.split('?')[0]!).filter((path) => !findRoute(routeTable, path))
    expect(lost.filter((path) => !elsewhere.includes(path))).toEqual([])
  })

  test('every page of the shell says what it asks for', () => {
    const open = routeTable.filter((route) => route.frame !== 'account' && !route.access)
    expect(open.map(({ path }) => path)).toEqual([])
  })
})
