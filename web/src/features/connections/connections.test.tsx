import { offeredKinds } from '@quarterdeck/contract/connections/index'
import type { Role } from '@quarterdeck/contract/permissions'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { onReport } from '@/api/report.ts'
import { answer, fakeServer } from '@/testing/fake-server.ts'
import { As, renderRoutes } from '@/testing/render.tsx'
import { toast } from '@/ui/toast.tsx'
import { ConnectionsPage } from './connections-page.tsx'

beforeEach(() => {
  toast.clear()
  onReport(toast.error)
})

const id = '0190bbbb-0000-7000-8000-000000000001'
const ada = { id: 'p-ada', name: 'Ada Lovelace', avatar: null }
const stored = {
  id,
  name: 'cache',
  namespace: 'prod',
  type: 'redis',
  url: 'redis:6379',
  username: null,
  password: '***',
  certificate: null,
  properties: { db: '2', extra: 'kept' },
  insecure_tls: false,
  source: null,
  created_by: ada,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T00:00:00+00:00',
  deleted_at: null,
}
const list = 'GET /api/db/connections'
const usage = `GET /api/v1/connections/${id}/usage`
const unused = { used_by: [], last_used_at: null, last_used_by: null }
const test1 = `POST /api/connection/test/${id}`
const open = (query = '', roles: Role[] = ['admin']) =>
  renderRoutes(
    [
      { path: '/settings/connections', element: <As roles={roles}>{<ConnectionsPage />}</As> },
      { path: '*', element: null },
    ],
    `/settings/connections${query}`,
  )
const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label)
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
const bodyOf = (server: ReturnType<typeof fakeServer>, method: string) =>
  server.calls.find((call) => call.method === method && call.path === '/api/db/connections')?.body as Record<
    string,
    unknown
  >

describe('the list', () => {
  test('[CONN-01] [CONN-34] a table with type icon, names and ages, asked for as the shared call does', async () => {
    const server = fakeServer({ [list]: [stored] })
    const view = open()
    const name = await screen.findByText('cache')
    expect(screen.getAllByRole('columnheader').map((header) => header.textContent?.trim())).toEqual([
      'Name',
      'Namespace',
      'Type',
      'Created By',
      'Created',
      'Updated',
    ])
    const row = name.closest('tr')!
    expect(within(row).getByText('prod')).toBeTruthy()
    expect(within(row).getByText('Redis')).toBeTruthy()
    expect(within(row).getByTitle('redis')).toBeTruthy()
    expect(within(row).getByText('Ada Lovelace')).toBeTruthy()
    expect(decodeURIComponent(server.asked('/db/connections')[0]!)).toBe(
      'GET /api/db/connections?select=*,created_by(id,name,avatar)&deleted_at=is.null&order=created_at.desc&limit=100',
    )
    await userEvent.click(name)
    await waitFor(() => expect(view.here()).toContain(`id=${id}`))
  })

  test('[CONN-29] a list that cannot be loaded says the words of the server', async () => {
    fakeServer({ [list]: answer(500, { message: 'The database is away' }) })
    open()
    expect((await screen.findAllByText(/The database is away/)).length).toBeGreaterThan(0)
  })

  test('[RBAC-13] who may not write gets no button to add', async () => {
    fakeServer({ [list]: [] })
    open('?add=choose', ['viewer'])
    expect(await screen.findByText('No connections yet')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Add Connection' })).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('a new one', () => {
  test('[CONN-02] [CONN-03] [CONN-04] a type is picked by search, Back leads to the picker again', async () => {
    fakeServer({ [list]: [] })
    const view = open()
    await userEvent.click((await screen.findAllByRole('button', { name: 'Add Connection' }))[0]!)
    const picker = await screen.findByRole('dialog', { name: 'Add Connection' })
    expect(within(picker).getAllByRole('listitem')).toHaveLength(41)
    expect(within(picker).queryByText('JMeter')).toBeNull()
    await userEvent.type(within(picker).getByLabelText('Search types of connections'), 'postg')
    expect(within(picker).getAllByRole('listitem')).toHaveLength(1)
    await userEvent.click(within(picker).getByRole('button', { name: /Postgres/ }))
    expect(await screen.findByRole('dialog', { name: /Add Postgres/ })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Update|Delete|Test/ })).toBeNull()
    await press('Back')
    expect(await screen.findByRole('dialog', { name: 'Add Connection' })).toBeTruthy()
    expect(view.here()).toContain('add=choose')
  }, 30_000)

  test('[CONN-05] name, namespace and the marked fields are required', async () => {
    const server = fakeServer({ [list]: [] })
    open('?add=sftp')
    expect((await screen.findByLabelText<HTMLInputElement>(/^Namespace\*?$/)).value).toBe('default')
    await userEvent.clear(field(/^Namespace\*?$/))
    await press('Save')
    // Name, namespace, host and username.
    await waitFor(() => expect(screen.getAllByText('This field is required')).toHaveLength(4))
    expect(server.asked('POST')).toEqual([])
  }, 30_000)

  test('[CONN-29] [CONN-34] [CONN-35] saving sends the fields of the connection and who made it', async () => {
    const server = fakeServer({ [list]: [], 'POST /api/db/connections': [stored] })
    const view = open('?add=redis')
    await userEvent.type(await screen.findByLabelText(/^Name\*?$/), 'cache')
    await userEvent.type(field(/^URL\*?$/), 'redis:6379')
    await userEvent.type(field(/^Password\*?$/), 'hunter2')
    await userEvent.clear(field(/^Database\*?$/))
    await userEvent.type(field(/^Database\*?$/), '3')
    await press('Save')
    expect(await screen.findByText('Connection added successfully')).toBeTruthy()
    expect(bodyOf(server, 'POST')).toEqual({
      name: 'cache',
      namespace: 'default',
      type: 'redis',
      url: 'redis:6379',
      username: null,
      password: 'hunter2',
      certificate: null,
      insecure_tls: false,
      properties: { db: '3' },
      created_by: 'person-1',
    })
    await waitFor(() => expect(view.here()).toBe('/settings/connections'))
  }, 30_000)

  test('a name that is taken is said in the form, which stays', async () => {
    fakeServer({ [list]: [], 'POST /api/db/connections': answer(409, { message: 'There is already one' }) })
    open('?add=folder')
    await userEvent.type(await screen.findByLabelText(/^Name\*?$/), 'x')
    await userEvent.type(field(/^Path\*?$/), '/x')
    await press('Save')
    expect(await screen.findByText('There is already one')).toBeTruthy()
    expect(screen.queryByText('Connection added successfully')).toBeNull()
    expect(field(/^Path\*?$/).value).toBe('/x')
  }, 30_000)

  test.each(offeredKinds.map(({ type, label }) => [type, label]))(
    'the form of %s is drawn from its declaration',
    async (type, label) => {
      fakeServer({ [list]: [], 'GET /api/db/connections_list': [] })
      const view = open(`?add=${type}`)
      expect(await screen.findByRole('dialog', { name: new RegExp(`Add ${label}`) })).toBeTruthy()
      const kind = offeredKinds.find((one) => one.type === type)!
      for (const each of kind.fields.filter((one) => !one.when))
        expect(screen.getAllByText(each.label).length).toBeGreaterThan(0)
      view.unmount()
    },
    20_000,
  )
})

describe('a stored one', () => {
  test('[CONN-02] [CONN-29] Update keeps a password nobody touched, and properties the form does not know', async () => {
    const server = fakeServer({ [list]: [stored], [usage]: unused, 'PATCH /api/db/connections': [stored] })
    const view = open(`?id=${id}`)
    const url = await screen.findByLabelText<HTMLInputElement>(/^URL\*?$/)
    expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
    expect(field(/^Password\*?$/).value).not.toContain('*')
    await userEvent.type(url, '0')
    await press('Update')
    expect(await screen.findByText('Connection updated successfully')).toBeTruthy()
    expect(bodyOf(server, 'PATCH')).toMatchObject({
      url: 'redis:63790',
      password: '***',
      properties: { db: '2', extra: 'kept' },
      created_by: 'p-ada',
    })
    const { query } = server.calls.find(({ method }) => method === 'PATCH')!
    expect([query.get('id'), query.get('updated_at')]).toEqual([`eq.${id}`, `eq.${stored.updated_at}`])
    await waitFor(() => expect(view.here()).toBe('/settings/connections'))
  }, 30_000)

  test('the second of two people who edit it is told', async () => {
    const theirs = { ...stored, url: 'theirs:6379', created_by: 'p-ada', updated_at: '2026-01-03T00:00:00+00:00' }
    const server = fakeServer({
      [list]: ({ query }: { query: URLSearchParams }) => (query.get('select') === null ? [theirs] : [stored]),
      [usage]: unused,
      'PATCH /api/db/connections': ({ query }: { query: URLSearchParams }) =>
        query.get('updated_at') === `eq.${theirs.updated_at}` ? [theirs] : [],
    })
    open(`?id=${id}`)
    await userEvent.type(await screen.findByLabelText(/^URL\*?$/), '0')
    await press('Update')
    expect(await screen.findByRole('dialog', { name: 'Somebody else changed cache' })).toBeTruthy()
    await press('Overwrite theirs')
    expect(await screen.findByText('Connection updated successfully')).toBeTruthy()
    expect(server.calls.filter(({ method }) => method === 'PATCH')).toHaveLength(2)
  }, 30_000)

  test('[CONN-29] [CONN-34] deleting asks, is soft, and says what it is used by', async () => {
    const refused = 'The connection cache cannot be deleted: it is used by health check shop'
    const used = {
      used_by: [{ kind: 'health check', table: 'canaries', id: 'c1', name: 'shop', namespace: 'default' }],
      last_used_at: '2026-01-02T00:00:00Z',
      last_used_by: 'canary default/shop',
    }
    const server = fakeServer({
      [list]: [stored],
      [usage]: used,
      'PATCH /api/db/connections': answer(409, { message: refused }),
    })
    const view = open(`?id=${id}`)
    expect((await screen.findByRole('link', { name: 'shop' })).getAttribute('href')).toBe('/settings/canaries/c1')
    expect(screen.getByText(/Last used/).textContent).toContain('canary default/shop')
    await press('Delete')
    const question = await screen.findByRole('alertdialog', { name: 'Delete cache?' })
    expect(question.textContent).toContain('It is used by one thing')
    await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText(refused)).toBeTruthy()
    expect(screen.queryByText('Connection deleted successfully')).toBeNull()
    server.handlers['PATCH /api/db/connections'] = [stored]
    await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('Connection deleted successfully')).toBeTruthy()
    expect(server.calls.findLast(({ method }) => method === 'PATCH')).toMatchObject({ body: { deleted_at: 'now()' } })
    await waitFor(() => expect(view.here()).toBe('/settings/connections'))
  }, 30_000)

  test('what a file keeps is only shown, and can be tested', async () => {
    fakeServer({ [list]: [{ ...stored, source: 'ConfigFile' }], [usage]: unused })
    open(`?id=${id}`)
    expect(await screen.findByText('Defined in ConfigFile; change it there.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /Update|Delete|Replace/ })).toBeNull()
    expect(screen.getByRole('button', { name: 'Test' })).toBeTruthy()
  })

  test('one that is gone says so; a type nobody declared is still shown', async () => {
    const server = fakeServer({ [list]: [], [usage]: unused })
    const gone = open(`?id=${id}`)
    expect(await screen.findByText('This connection is not there')).toBeTruthy()
    gone.unmount()
    server.handlers[list] = [{ ...stored, type: 'fax' }]
    open(`?id=${id}`)
    expect((await screen.findByLabelText<HTMLInputElement>(/^URL\*?$/)).value).toBe('redis:6379')
  })
})

describe('testing', () => {
  async function result(handler: object): Promise<string> {
    const server = fakeServer({ [list]: [stored], [usage]: unused, [test1]: handler })
    const view = open(`?id=${id}`)
    await press('Test')
    const dialog = await screen.findByRole('dialog', { name: 'Test Connection Results' })
    const words = within(dialog).getByRole('status').textContent!
    expect(server.asked('/connection/test/')).toEqual([test1])
    view.unmount()
    return words
  }

  test('[CONN-30] [CONN-31] a good one', async () => {
    expect(await result({ message: 'ok' })).toBe('Connection successful')
  })
  test('[CONN-32] a type that cannot be tested', async () => {
    expect(await result(answer(501, { error: 'not implemented' }))).toBe(
      'We currently do not support testing this connection type',
    )
  })
  test('[CONN-33] a refusal is shown, JSON formatted; the rest as the server says, or in general words', async () => {
    expect(await result(answer(400, { error: 'wrong password' }))).toBe('wrong password')
    expect(await result(answer(400, { error: '{"code":7,"why":"no"}' }))).toBe('{\n  "code": 7,\n  "why": "no"\n}')
    expect(await result(answer(400, { error: 'it said: {"a":[1]}' }))).toBe('it said:\n{\n  "a": [\n    1\n  ]\n}')
    expect(await result(answer(400, { error: 'it said: {"cut' }))).toBe('it said: {"cut')
    expect(await result(answer(500, { error: 'Internal error.' }))).toBe('Internal error.')
    expect(await result(answer(502))).toBe('Testing connection failed!')
    expect(await result({ message: 'maybe' })).toBe('Testing connection failed!')
  }, 40_000)
  test('what is not saved yet cannot be tested', async () => {
    fakeServer({ [list]: [stored], [usage]: unused })
    open(`?id=${id}`)
    await userEvent.type(await screen.findByLabelText(/^URL\*?$/), '0')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Test' }).disabled).toBe(true)
  })
})
