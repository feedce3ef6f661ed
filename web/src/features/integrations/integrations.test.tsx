import type { Role } from '@quarterdeck/contract/permissions'
import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { AccessProvider } from '@/api/access.tsx'
import { referenceServer } from '@/api/capabilities.ts'
import { onReport } from '@/api/report.ts'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { renderRoutes } from '@/testing/render.tsx'
import { toast } from '@/ui/toast.tsx'
import { IntegrationPage } from './integration-page.tsx'
import { IntegrationsPage } from './integrations-page.tsx'

// Whole pages on a busy machine.
configure({ asyncUtilTimeout: 8000 })
vi.setConfig({ testTimeout: 40_000 })
beforeEach(() => onReport(toast.error))

const id = '0190cccc-0000-7000-8000-000000000001'
const row = (more: object) => ({
  id,
  name: 'shop',
  namespace: 'web',
  source: 'UI',
  integration_type: 'topologies',
  agent: { id: 'agent-1', name: 'edge' },
  job_status: 'FAILED',
  job_details: { errors: ['the cluster did not answer'] },
  job_name: 'Topology',
  job_time_start: '2026-01-01T00:00:00Z',
  created_by: 'p',
  creator_name: 'Ada Lovelace',
  creator_avatar: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  ...more,
})
const stored = {
  id,
  name: 'shop',
  namespace: 'web',
  labels: { team: 'blue' },
  source: 'UI',
  agent_id: '00000000-0000-0000-0000-000000000000',
  spec: { components: [{ name: 'gateway' }] },
  updated_at: '2026-01-01T00:00:00+00:00',
  deleted_at: null,
}
const list = 'GET /api/db/integrations_with_status'
const chart = {
  id: 'aws',
  name: 'mission-control-aws',
  version: '0.1.9',
  app_version: null,
  description: 'Scrapes AWS',
  schema: { type: 'object', properties: { region: { type: 'string' } } },
}

function open(at: string, { role = 'admin' as Role, off = [] as string[], handlers = {} as object } = {}) {
  const server = fakeServer({
    [list]: [row({})],
    'GET /api/db/topologies': [stored],
    'GET /api/v1/integrations/charts/aws': chart,
    'GET /api/db/job_histories': [],
    [`GET /api/v1/resources/topologies/${id}/about`]: { file: null, uses: [] },
    ...handlers,
  })
  const as = (page: React.ReactNode) => (
    <AccessProvider
      me={{ user: { id: 'person-1', name: 'Ada', email: 'ada@example.test' }, roles: [role] }}
      properties={off.map((feature) => ({ name: `${feature}.disable`, value: 'true', source: 'db', description: '' }))}
      capabilities={{ ...referenceServer, version: '1' }}
    >
      {page}
    </AccessProvider>
  )
  const view = renderRoutes(
    [
      { path: '/settings/integrations', element: as(<IntegrationsPage />) },
      { path: '/settings/integrations/:type/:id', element: as(<IntegrationPage />) },
      { path: '*', element: <p>elsewhere</p> },
    ],
    at,
  )
  return { server, ...view }
}
const startAdding = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Add Integration' }))
  return screen.findByRole('dialog', { name: 'Add Integration' })
}
const choicesOf = (dialog: HTMLElement, group: string) =>
  within(within(dialog).getByRole('list', { name: group }))
    .getAllByRole('button')
    .map((button) => button.textContent)

describe('the list', () => {
  test('[INTEG-01] [INTEG-13] scrapers, topologies and log backends in one list; a row opens its page', async () => {
    const { here } = open('/settings/integrations', {
      handlers: {
        [list]: [
          row({}),
          row({ id: 'b', name: 'aws', integration_type: 'scrapers', namespace: null, job_status: 'SUCCESS' }),
          row({ id: 'c', name: 'elastic', integration_type: 'logging', job_status: '', job_time_start: null }),
        ],
      },
    })
    const table = within(await screen.findByRole('table', { name: 'Integrations' }))
    const shop = within((await table.findByText('shop')).closest('tr')!)
    for (const text of ['Topology', 'web', 'UI', 'Failed', 'Ada Lovelace']) expect(shop.getByText(text)).toBeTruthy()
    expect(shop.getByRole('link', { name: 'edge' }).getAttribute('href')).toBe('/settings/agents?id=agent-1')
    expect(table.getByText('Catalog Scraper')).toBeTruthy()
    await userEvent.click(table.getByText('elastic'))
    expect(here()).toBe('/settings/integrations/logging_backends/c')
  })

  test('[INTEG-12] the server gives one page', async () => {
    const { server } = open('/settings/integrations?pageIndex=2&pageSize=20')
    await screen.findByText('shop')
    expect(decodeURIComponent(server.asked('integrations_with_status')[0]!)).toBe(
      `${list}?order=created_at.desc&select=*&deleted_at=is.null&limit=20&offset=40`,
    )
    expect(server.calls[0]!.headers.Prefer).toContain('count=exact')
  })

  test('[RBAC-16] who may not write integrations cannot add or open one', async () => {
    const { here } = open('/settings/integrations', { role: 'viewer' })
    await userEvent.click(await screen.findByText('shop'))
    expect(here()).toBe('/settings/integrations')
    expect(screen.queryByRole('button', { name: 'Add Integration' })).toBeNull()
  })
})

describe('one of them', () => {
  const at = `/settings/integrations/topologies/${id}`

  test('[INTEG-02] [INTEG-12] tabs Spec and Job History, read by its id', async () => {
    const { server } = open(at)
    expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual(['Spec', 'Job History'])
    expect((screen.getByLabelText(/^Name\b/) as HTMLInputElement).value).toBe('shop')
    expect(server.asked('GET /api/db/topologies')).toEqual([`GET /api/db/topologies?id=eq.${id}`])
    await userEvent.click(screen.getByRole('tab', { name: 'Job History' }))
    await waitFor(() => expect(server.asked('job_histories')[0]).toContain(`resource_id=eq.${id}`))
    expect(server.asked('job_histories')[0]).toContain('limit=150')
  })

  test('[INTEG-03] an unknown type says so', async () => {
    open(`/settings/integrations/webhooks/${id}`)
    expect(await screen.findByText('Unknown type')).toBeTruthy()
  })

  test.each(['scrapers', 'logging_backends'])('[INTEG-03] %s are a type', async (type) => {
    const table = type === 'scrapers' ? 'config_scrapers' : type
    open(`/settings/integrations/${type}/${id}`, { handlers: { [`GET /api/db/${table}`]: [stored] } })
    expect(((await screen.findByLabelText(/^Name/)) as HTMLInputElement).value).toBe('shop')
  })

  test('[INTEG-04] saving leads back to the integrations', async () => {
    const { server, here } = open(at, { handlers: { 'PATCH /api/db/topologies': [stored] } })
    await userEvent.click(await screen.findByRole('button', { name: 'Update' }))
    await waitFor(() => expect(here()).toBe('/settings/integrations'))
    const patch = server.calls.find(({ method }) => method === 'PATCH')!
    expect(patch.query.get('updated_at')).toBe(`eq.${stored.updated_at}`)
  })

  test('[INTEG-04] deleting asks, says what uses it, and leads back', async () => {
    const uses = [{ what: 'components', count: 7, names: ['api', 'db'], blocks: false }]
    const { server, here } = open(at, {
      handlers: {
        'PATCH /api/db/topologies': [stored],
        [`GET /api/v1/resources/topologies/${id}/about`]: { file: null, uses },
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
    const question = await screen.findByRole('alertdialog')
    expect(await within(question).findByText('7 components: api, db, …')).toBeTruthy()
    await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(here()).toBe('/settings/integrations'))
    expect(server.calls.find(({ method }) => method === 'PATCH')!.body).toEqual({ deleted_at: 'now()' })
  })
})

describe('adding', () => {
  test('[INTEG-05] [INTEG-06] the grid of choices', async () => {
    open('/settings/integrations')
    const dialog = await startAdding()
    expect(choicesOf(dialog, 'Add via GitOps')).toEqual([
      'AWS',
      'Azure',
      'Prometheus',
      'Flux',
      'Kubernetes',
      'Mission Control',
    ])
    expect(choicesOf(dialog, 'Add Directly')).toEqual(['Custom Topology', 'Catalog Scraper', 'Log Backends'])
  })

  test('[INTEG-06] no log backends while logs are switched off', async () => {
    open('/settings/integrations', { off: ['logs'] })
    expect(choicesOf(await startAdding(), 'Add Directly')).toEqual(['Custom Topology', 'Catalog Scraper'])
  })

  test('[INTEG-07] [INTEG-08] [INTEG-10] values of a chart become texts for Flux and Helm', async () => {
    open('/settings/integrations')
    await userEvent.click(within(await startAdding()).getByRole('button', { name: 'AWS' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add AWS' }))
    expect(dialog.getByText(/You will need to have Kubernetes chart installed in flux to use this option/)).toBeTruthy()
    expect((dialog.getByLabelText(/^Namespace/) as HTMLInputElement).value).toBe('mission-control')
    expect((dialog.getByLabelText(/^Interval/) as HTMLInputElement).value).toBe('30m')
    expect(dialog.getByText('Labels')).toBeTruthy()
    expect(dialog.getByText('Values')).toBeTruthy()
    expect(dialog.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Flux', 'Helm CLI'])
    const name = dialog.getByLabelText(/^Name\b/)
    await userEvent.clear(name)
    await userEvent.type(name, 'My AWS')
    expect(await dialog.findByText(/lower-case letters, digits and - only/)).toBeTruthy()
    await userEvent.clear(name)
    await userEvent.type(name, 'prod')
    const flux = () => dialog.getByText(/kind: HelmRelease/).textContent!
    await waitFor(() => expect(flux()).toContain('version: 0.1.9'))
    expect(flux()).toContain('name: prod')
    await userEvent.click(dialog.getByRole('tab', { name: 'Helm CLI' }))
    expect((await dialog.findByText(/helm repo add/)).textContent).toContain(
      'helm upgrade --install prod flanksource/mission-control-aws',
    )
  })

  test('[INTEG-09] Back returns to the grid, from a chart and from a form', async () => {
    open('/settings/integrations')
    await userEvent.click(within(await startAdding()).getByRole('button', { name: 'AWS' }))
    await userEvent.click(
      within(await screen.findByRole('dialog', { name: 'Add AWS' })).getByRole('button', { name: 'Back' }),
    )
    const grid = await screen.findByRole('dialog', { name: 'Add Integration' })
    await userEvent.click(within(grid).getByRole('button', { name: 'Custom Topology' }))
    await userEvent.click(
      within(await screen.findByRole('dialog', { name: 'Add Topology' })).getByRole('button', { name: 'Back' }),
    )
    expect(await screen.findByRole('dialog', { name: 'Add Integration' })).toBeTruthy()
  })

  test('[INTEG-11] a registry that cannot be reached is told; the texts go without a version', async () => {
    const message = 'The registry of charts at charts.test could not be reached: charts.test refused the connection.'
    const { server } = open('/settings/integrations', {
      handlers: { 'GET /api/v1/integrations/charts/aws': answer(502, { message }) },
    })
    await userEvent.click(within(await startAdding()).getByRole('button', { name: 'AWS' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add AWS' }))
    expect(await dialog.findByText(/could not be reached/)).toBeTruthy()
    expect(dialog.getByText(/kind: HelmRelease/).textContent).not.toContain('version')
    server.handlers['GET /api/v1/integrations/charts/aws'] = chart
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(dialog.getByText(/kind: HelmRelease/).textContent).toContain('version: 0.1.9'))
  })
})
