import type { Role } from '@quarterdeck/contract/permissions'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { onReport } from '@/api/report.ts'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { As, renderRoutes } from '@/testing/render.tsx'
import { toast } from '@/ui/toast.tsx'
import { TeamPage } from './team-page.tsx'
import { TeamsPage } from './teams-page.tsx'

beforeEach(() => onReport(toast.error))

const id = '0190aaaa-0000-7000-8000-000000000001'
const team = {
  id,
  name: 'Payments',
  icon: 'team',
  spec: {},
  source: 'UI',
  updated_at: '2026-01-01T00:00:00+00:00',
  deleted_at: null,
}
const ada = { id: 'p-ada', name: 'Ada Lovelace', email: 'ada@example.test', avatar: null }
const bob = { id: 'p-bob', name: 'Bob Noyce', email: 'bob@example.test', avatar: null }
const one = 'GET /api/db/teams'
const members = 'GET /api/db/team_members'
const open = (at: string, roles: Role[] = ['admin']) =>
  renderRoutes(
    [
      { path: '/settings/teams', element: <As roles={roles}>{<TeamsPage />}</As> },
      { path: '/settings/teams/:id', element: <As roles={roles}>{<TeamPage />}</As> },
    ],
    at,
  )
const detail = `/settings/teams/${id}`

test('the list asks for a page of living teams and opens one by a click', async () => {
  const server = fakeServer({
    'GET /api/db/teams_with_status': [
      { ...team, created_by: ada, created_at: '2026-01-01T00:00:00Z', job_status: 'FAILED' },
    ],
    [one]: [team],
  })
  const view = open('/settings/teams')
  const name = await screen.findByText('Payments')
  expect(screen.getAllByRole('columnheader').map((header) => header.textContent?.trim())).toEqual([
    'Name',
    'Source',
    'Job Status',
    'Last Run',
    'Last Failed',
    'Created',
    'Updated',
    'Created By',
  ])
  expect(decodeURIComponent(server.asked('teams_with_status')[0]!)).toBe(
    'GET /api/db/teams_with_status?select=*,created_by(id,name,avatar)&deleted_at=is.null&order=created_at.desc&limit=100',
  )
  await userEvent.click(name)
  expect(view.here()).toBe(detail)
})

test('[TEAM-01] [TEAM-06] a team has the tabs Spec, Members and Job History', async () => {
  const server = fakeServer({ [one]: [team], [members]: [], 'GET /api/db/job_histories': [] })
  open(detail)
  expect((await screen.findAllByRole('tab')).map((tab) => tab.textContent)).toEqual(['Spec', 'Members', 'Job History'])
  expect(screen.getByLabelText(/Name/)).toHaveProperty('value', 'Payments')
  expect(screen.getByLabelText(/Name/)).toHaveProperty('readOnly', true)
  expect(screen.getByRole('button', { name: 'Update' })).toBeTruthy()
  await userEvent.click(screen.getByRole('tab', { name: 'Job History' }))
  await waitFor(() => expect(server.asked('job_histories')).toHaveLength(1))
  const asked = server.calls.find(({ path }) => path === '/api/db/job_histories')!.query
  expect(asked.get('resource_id')).toBe(`eq.${id}`)
  expect(asked.get('resource_type.filter')).toBe('team')
  expect(asked.get('limit')).toBe('150')
})

test('[TEAM-02] members show name, email, avatar and id; without any the page says so', async () => {
  const server = fakeServer({ [one]: [team], [members]: [{ team_id: id, person_id: ada }] })
  const view = open(`${detail}?tab=manageTeam`)
  const row = (await screen.findByText('ada@example.test')).closest('tr')!
  expect(within(row).getByText('Ada Lovelace')).toBeTruthy()
  expect(within(row).getByText('p-ada')).toBeTruthy()
  expect(within(row).getByRole('img', { name: 'Ada Lovelace' })).toBeTruthy()
  expect(decodeURIComponent(server.asked('team_members')[0]!)).toContain(`team_id=eq.${id}&select=*,person_id(*)`)
  view.unmount()
  server.handlers[members] = []
  open(`${detail}?tab=manageTeam`)
  expect(await screen.findByText("You haven't added any team members to the team yet")).toBeTruthy()
})

test('[TEAM-03] [TEAM-04] [TEAM-05] people are added by a dialog; choosing nobody is fine', async () => {
  const server = fakeServer({
    [one]: [team],
    [members]: ({ query }: { query: URLSearchParams }) =>
      query.get('select') === 'person_id' ? [{ person_id: ada.id }] : [{ team_id: id, person_id: ada }],
    'GET /api/db/people': [ada, bob],
    'POST /api/db/team_members': [],
  })
  open(`${detail}?tab=manageTeam`)
  await userEvent.click(await screen.findByRole('button', { name: 'Add users' }))
  await userEvent.click(
    within(await screen.findByRole('dialog', { name: 'Add users to the team' })).getByRole('button', { name: 'Add' }),
  )
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.asked('POST')).toEqual([])

  await userEvent.click(screen.getByRole('button', { name: 'Add users' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add users to the team' })
  await userEvent.click(within(dialog).getByRole('button', { name: /^Users/ }))
  expect((await screen.findAllByRole('option')).map((option) => option.getAttribute('title'))).toEqual(['Bob Noyce'])
  await userEvent.click(screen.getByRole('option', { name: /Bob/ }))
  await userEvent.keyboard('{Escape}')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }))
  expect(await screen.findByText('Bob Noyce added to the team successfully')).toBeTruthy()
  expect(server.calls.find(({ method }) => method === 'POST')!.body).toEqual([{ team_id: id, person_id: 'p-bob' }])
}, 30_000)

test('[TEAM-04] [TEAM-05] a member leaves this team only; failures are told in the words of the server', async () => {
  const server = fakeServer({
    [one]: [team],
    [members]: [{ team_id: id, person_id: ada }],
    'DELETE /api/db/team_members': answer(403, { message: 'You may not change teams' }),
  })
  open(`${detail}?tab=manageTeam`)
  const button = await screen.findByRole('button', { name: 'Remove Ada Lovelace from the team' })
  await userEvent.click(button)
  expect(await screen.findByText('You may not change teams')).toBeTruthy()
  expect(screen.queryByText(/removed from team/)).toBeNull()
  server.handlers['DELETE /api/db/team_members'] = []
  await userEvent.click(screen.getByRole('button', { name: 'Remove Ada Lovelace from the team' }))
  expect(await screen.findByText('Ada Lovelace removed from team successfully')).toBeTruthy()
  expect(server.asked('DELETE').at(-1)).toBe(`DELETE /api/db/team_members?team_id=eq.${id}&person_id=eq.p-ada`)
}, 30_000)

test('[TEAM-05] members that cannot be loaded are told', async () => {
  fakeServer({ [one]: [team], [members]: answer(500, { message: 'The database is away' }) })
  open(`${detail}?tab=manageTeam`)
  expect((await screen.findAllByText(/The database is away/)).length).toBeGreaterThan(0)
})

test('the second of two people who edit a team is told', async () => {
  const server = fakeServer({ [one]: [team], 'PATCH /api/db/teams': [] })
  open(detail)
  await userEvent.click(await screen.findByRole('tab', { name: 'Spec' }))
  server.handlers[one] = [{ ...team, icon: 'siren', updated_at: '2026-01-02T00:00:00+00:00' }]
  await userEvent.click(await screen.findByRole('button', { name: 'Update' }))
  expect(await screen.findByRole('dialog', { name: 'Somebody else changed Payments' })).toBeTruthy()
  expect(server.calls.find(({ method }) => method === 'PATCH')!.query.get('updated_at')).toBe(`eq.${team.updated_at}`)
})

test('deleting is soft, asks first, and leads back to the list', async () => {
  const server = fakeServer({ [one]: [team], 'PATCH /api/db/teams': [team], 'GET /api/db/teams_with_status': [] })
  const view = open(detail)
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  expect(server.asked('PATCH')).toEqual([])
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(view.here()).toBe('/settings/teams'))
  expect(server.calls.find(({ method }) => method === 'PATCH')!.body).toEqual({ deleted_at: 'now()' })
}, 30_000)

test('who may not write gets no buttons, and what is missing says so', async () => {
  const server = fakeServer({ [one]: [team], [members]: [{ team_id: id, person_id: ada }] })
  const view = open(`${detail}?tab=manageTeam`, ['viewer'])
  await screen.findByText('Ada Lovelace')
  expect(screen.queryByRole('button', { name: /Add users|Remove/ })).toBeNull()
  await userEvent.click(screen.getByRole('tab', { name: 'Spec' }))
  expect(await screen.findByText('No details found')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Update|Delete/ })).toBeNull()
  view.unmount()
  server.handlers[one] = []
  const gone = open(detail)
  expect(await screen.findByText('No resources found')).toBeTruthy()
  gone.unmount()
  open('/settings/teams/nonsense')
  expect(await screen.findByText('No resources found')).toBeTruthy()
})
