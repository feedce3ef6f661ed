import { auditActions } from '@quarterdeck/contract/identity'
import type { Role } from '@quarterdeck/contract/permissions'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { AccessProvider } from '@/api/access.tsx'
import { referenceServer } from '@/api/capabilities.ts'
import { onReport } from '@/api/report.ts'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { renderPage } from '@/testing/render.tsx'
import { toast } from '@/ui/toast.tsx'
import { auditWord, auditWords } from './audit.queries.ts'
import { detailsText } from './audit-log.tsx'
import { checkInvitation } from './invite-dialog.tsx'
import { checkRole } from './role-dialog.tsx'
import { cutName } from './users.filters.ts'
import { toUsers, usersRequest } from './users.queries.ts'
import { UsersPage } from './users-page.tsx'

beforeEach(() => onReport(toast.error))

const grace = {
  id: 'u1',
  traits: { email: 'grace@example.test', name: { first: 'Grace', last: 'Hopper' } },
  state: 'active',
  created_at: '2026-01-01T00:00:00Z',
}
const people = [
  { id: 'u1', name: 'Grace Hopper', email: 'grace@example.test', avatar: null, type: null, deleted_at: null },
]
const base = () => ({
  'GET /api/db/identities': [grace] as unknown,
  'GET /api/db/people_roles': [
    { id: 'u1', name: 'Grace Hopper', email: '', roles: ['admin', 'admin', null, 'everyone'] },
  ],
  'GET /api/db/people': people,
})
const serve = (more: object = {}) => fakeServer({ ...base(), ...more } as Record<string, object>)
const page = (roles: Role[] = ['admin'], { version = '1.0.0', at = '/settings/users' } = {}) =>
  renderPage(
    <AccessProvider
      me={{ user: { id: 'p1', name: 'Ada', email: 'ada@example.test' }, roles }}
      properties={[]}
      capabilities={{ ...referenceServer, version }}
    >
      <UsersPage />
    </AccessProvider>,
    at,
  )
async function choose(label: RegExp, option: string) {
  await userEvent.click(within(screen.getByRole('dialog')).getByLabelText(label))
  await userEvent.click(await screen.findByRole('option', { name: new RegExp(option) }))
}
const refusals = (values: object, check: (values: never) => unknown) => {
  const { errors } = check(values as never) as { errors: Record<string, { message: string }> }
  return Object.fromEntries(Object.entries(errors).map(([name, { message }]) => [name, message]))
}

test('[USER-01] [USER-09] the table shows name, email, roles, state and age, with both dialogs', async () => {
  const server = serve()
  page()
  const row = (await screen.findByText('Grace Hopper')).closest('tr')!
  for (const text of ['grace@example.test', 'admin', 'active']) expect(within(row).getByText(text)).toBeTruthy()
  expect(within(row).getAllByText('admin')).toHaveLength(1)
  expect(server.asked('people_roles')).toEqual(['GET /api/db/people_roles?id=in.%28u1%29'])
  await userEvent.click(screen.getByRole('button', { name: 'Invite User' }))
  expect(await screen.findByRole('dialog', { name: 'Invite User' })).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'Add Role to User' }))
  expect(await screen.findByRole('dialog', { name: 'Add Role to User' })).toBeTruthy()
})

test('[USER-03] names in dropdowns are cut at 50 characters', () => {
  expect(cutName('x'.repeat(50))).toBe('x'.repeat(50))
  expect(cutName('x'.repeat(51))).toBe(`${'x'.repeat(50)}…`)
  expect(cutName('👩‍🚀'.repeat(60)).endsWith('…')).toBe(true)
})

test('[USER-04] [USER-05] [USER-06] refusals are in the words of the product', () => {
  const whole = { firstName: 'Ada', lastName: 'L', email: 'a@b.c', role: 'admin' }
  expect(refusals({ firstName: ' ', lastName: '', email: '', role: '' }, checkInvitation)).toEqual({
    firstName: 'Please provide valid first name',
    lastName: 'Please provide valid last name',
    email: 'Please provide valid email',
    role: 'Please select any role',
  })
  for (const email of ['ada', 'ada@home', 'ada.home', '@.'])
    expect(refusals({ ...whole, email }, checkInvitation)).toEqual({
      email: 'Entered value does not match email format',
    })
  expect(refusals(whole, checkInvitation)).toEqual({})
  expect(refusals({ user: '', role: '' }, checkRole)).toEqual({
    user: 'Please select any user',
    role: 'Please select any role',
  })
})

test('[USER-07] [USER-08] an invitation sends three fields, then gives the role, then shows the link once', async () => {
  const server = serve({
    'POST /api/auth/invite_user': { id: 'u2', mailed: false, link: 'http://console.test/recover?token=abc' },
    'POST /api/rbac/u2/update_role': { message: 'Role updated successfully' },
  })
  page()
  await userEvent.click(await screen.findByRole('button', { name: 'Invite User' }))
  await userEvent.type(screen.getByLabelText(/First name/), 'Mary')
  await userEvent.type(screen.getByLabelText(/Last name/), 'Shaw')
  await userEvent.type(screen.getByLabelText(/Email/), 'mary@example.test')
  await choose(/Role/, 'editor')
  await userEvent.click(screen.getByRole('button', { name: 'Invite' }))
  expect(await screen.findByText('Mary Shaw invited successfully')).toBeTruthy()
  expect(await screen.findByText('http://console.test/recover?token=abc')).toBeTruthy()
  const sent = server.calls.filter(({ method }) => method === 'POST')
  expect(sent.map(({ path, body }) => [path, body])).toEqual([
    ['/api/auth/invite_user', { firstName: 'Mary', lastName: 'Shaw', email: 'mary@example.test' }],
    ['/api/rbac/u2/update_role', { roles: ['editor'] }],
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByText('http://console.test/recover?token=abc')).toBeNull())
}, 30_000)

test('an invitation of somebody who is here already stays open with the words of the server', async () => {
  serve({ 'POST /api/auth/invite_user': answer(409, { message: 'User already exists' }) })
  page()
  await userEvent.click(await screen.findByRole('button', { name: 'Invite User' }))
  await userEvent.type(screen.getByLabelText(/First name/), 'G')
  await userEvent.type(screen.getByLabelText(/Last name/), 'H')
  await userEvent.type(screen.getByLabelText(/Email/), 'grace@example.test')
  await choose(/Role/, 'viewer')
  await userEvent.click(screen.getByRole('button', { name: 'Invite' }))
  expect(await within(screen.getByRole('dialog')).findByText('User already exists')).toBeTruthy()
  expect(screen.queryByText(/invited successfully/)).toBeNull()
}, 30_000)

test('[USER-07] [USER-08] a role is changed from the row; the last administrator is told in the words of the server', async () => {
  const server = serve({
    'POST /api/rbac/u1/update_role': answer(409, { message: 'The last administrator cannot lose the role admin' }),
  })
  page()
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Grace Hopper' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Change role' }))
  await screen.findByRole('dialog', { name: 'Add Role to User' })
  await choose(/^Role/, 'viewer')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('The last administrator cannot lose the role admin')).toBeTruthy()
  expect(screen.queryByText(/updated successfully/)).toBeNull()
  server.handlers['POST /api/rbac/u1/update_role'] = { message: 'ok' }
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Grace Hopper role updated successfully')).toBeTruthy()
  expect(server.calls.findLast(({ method }) => method === 'POST')!.body).toEqual({ roles: ['viewer'] })
}, 30_000)

test('the question says who relies on the person', async () => {
  serve({
    'GET /api/v1/resources/identities/u1/about': {
      file: null,
      uses: [{ what: 'team', count: 1, names: ['shop'], blocks: false }],
    },
  })
  page()
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Grace Hopper' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const question = within(await screen.findByRole('alertdialog'))
  expect(await question.findByText('These rely on this person:')).toBeTruthy()
  expect(question.getByText('1 team: shop')).toBeTruthy()
})

test('[USER-02] [USER-07] [USER-08] deleting asks first; a refusal is told and is no success', async () => {
  const server = serve({
    'DELETE /api/db/identities': answer(409, { message: 'The last administrator cannot be deleted' }),
  })
  page()
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Grace Hopper' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const question = await screen.findByRole('alertdialog')
  expect(server.asked('DELETE')).toEqual([])
  await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('The last administrator cannot be deleted')).toBeTruthy()
  expect(screen.queryByText('user deleted successfully')).toBeNull()
  server.handlers['DELETE /api/db/identities'] = [grace]
  await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
  expect(await screen.findByText('user deleted successfully')).toBeTruthy()
  expect(server.asked('DELETE').at(-1)).toBe('DELETE /api/db/identities?id=eq.u1')
}, 30_000)

test('who may not write gets no buttons', async () => {
  serve()
  page(['editor'])
  await screen.findByText('Grace Hopper')
  expect(screen.queryByRole('button', { name: 'Invite User' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Add Role to User' })).toBeNull()
  expect(screen.queryByRole('tab', { name: 'Audit log' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Grace Hopper' }))
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['What can this person do?'])
})

test('a row explains what its person can do, and why', async () => {
  serve({
    'GET /api/v1/access/u1': {
      person: { id: 'u1', name: 'Grace Hopper', email: 'grace@example.test', state: 'active' },
      roles: [{ role: 'editor', why: 'given to this person' }],
      grants: [
        { resource: 'canaries', action: 'read', allowed: true, because: ['editor'] },
        { resource: 'canaries', action: 'write', allowed: true, because: ['editor'] },
        { resource: 'rbac', action: 'read', allowed: false, because: [] },
        { resource: 'rbac', action: 'write', allowed: false, because: [] },
      ],
      may_run_checks: true,
      sign_in: { password: false, sessions: 2, tokens: 0 },
      notes: ['No password is set yet: the invitation has not been used.'],
    },
  })
  const view = page()
  await userEvent.click(await screen.findByText('grace@example.test'))
  const panel = await screen.findByRole('dialog', { name: 'What can Grace Hopper do, and why?' })
  expect(view.here()).toContain('person=u1')
  const line = (await within(panel).findByRole('rowheader', { name: 'canaries' })).closest('tr')!
  expect(within(line).getAllByText('as editor')).toHaveLength(2)
  expect(within(within(panel).getByRole('rowheader', { name: 'rbac' }).closest('tr')!).getAllByText('no')).toHaveLength(
    2,
  )
  for (const text of ['given to this person', /invitation has not been used/, /2 open sessions/])
    expect(within(panel).getByText(text)).toBeTruthy()
})

test('the list is searched, sorted and paged by the server', () => {
  const list = { search: 'gra', pageIndex: 1, pageSize: 50, sort: { id: 'email', desc: true } }
  expect(decodeURIComponent(usersRequest(list).toString())).toBe(
    '/identities?or=(traits->>email.ilike.*gra*,traits->name->>first.ilike.*gra*,traits->name->>last.ilike.*gra*)' +
      '&order=traits->>email.desc,id.asc&limit=50&offset=50',
  )
  const strange = usersRequest({ search: '', pageIndex: 0, pageSize: 50, sort: { id: 'toString', desc: true } })
  expect(decodeURIComponent(strange.toString())).toContain('order=created_at.desc')
  expect(toUsers([{ ...grace, traits: { email: 'only@example.test' } }], [])[0]).toMatchObject({
    name: 'only@example.test',
    roles: [],
  })
})

test('the audit log is filtered by the server, and the export asks for the same', async () => {
  const server = serve({
    'GET /api/v1/audit': {
      total: 1,
      rows: [
        {
          id: 'a1',
          at: '2026-01-01T00:00:00Z',
          action: 'roles_changed',
          outcome: 'success',
          actor_id: 'p1',
          actor_name: 'Ada',
          object_type: 'identity',
          object_id: 'u1',
          object_name: 'grace@example.test',
          ip: '127.0.0.1',
          user_agent: 'test',
          details: { from: ['viewer'], to: ['admin'] },
        },
      ],
    },
  })
  page(['admin'], { at: '/settings/users?tab=audit&action=roles_changed&outcome=success&query=ada&pageIndex=1' })
  const row = (await screen.findByText('from viewer, to admin')).closest('tr')!
  expect(within(row).getByText('Changed roles')).toBeTruthy()
  expect(server.asked('/v1/audit')[0]).toBe(
    'GET /api/v1/audit?search=ada&action=roles_changed&outcome=success&limit=50&offset=50',
  )
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
  server.handlers['GET /api/v1/audit'] = () => new Response('id,at\r\n')
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
  await waitFor(() => expect(saved).toHaveBeenCalledTimes(1))
  expect(server.asked('/v1/audit').at(-1)).toBe(
    'GET /api/v1/audit?search=ada&action=roles_changed&outcome=success&format=csv',
  )
  // A refusal is told, and is not saved as if it were the log.
  server.handlers['GET /api/v1/audit'] = () => answer(403, { message: 'only administrators' })
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
  expect(await screen.findByText('only administrators')).toBeTruthy()
  expect(saved).toHaveBeenCalledTimes(1)
  saved.mockRestore()
})

test('every act the server records has words', () => {
  expect(auditActions.filter((action) => !(action in auditWords))).toEqual([])
  expect(auditWord('moon_landed')).toBe('moon landed')
  expect(auditWord('constructor')).toBe('constructor')
  expect(detailsText({ roles: [], count: 2, nothing: null })).toBe('roles none, count 2')
})
