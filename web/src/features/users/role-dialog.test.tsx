import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeServer } from '@/testing/fake-server.ts'
import { renderPage } from '@/testing/render.tsx'
import { RoleDialog } from './role-dialog.tsx'

afterEach(() => vi.unstubAllGlobals())

test('[USER-03] a long name is cut in the dropdown and in the field, but not in what is told afterwards', async () => {
  const name = 'Wilhelmina-Josephine Alexandra von und zu Hohenstein-Langenburg'
  const server = fakeServer({
    'GET /api/db/people': [{ id: 'u1', name, email: 'w@example.test', avatar: null }],
    'POST /api/rbac/u1/update_role': { message: 'ok' },
  })
  renderPage(<RoleDialog onClose={() => {}} />, '/settings/users')
  const dialog = await screen.findByRole('dialog', { name: 'Add Role to User' })
  await userEvent.click(within(dialog).getByLabelText(/^User/))
  const cut = `${name.slice(0, 50)}…`
  await userEvent.click(await screen.findByRole('option', { name: new RegExp(`^${cut}`) }))
  expect(within(dialog).getByLabelText(/^User/).textContent).toContain(cut)
  await userEvent.click(within(dialog).getByLabelText(/^Role/))
  await userEvent.click(await screen.findByRole('option', { name: 'editor' }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(`${name} role updated successfully`)).toBeTruthy()
  expect(server.calls.find(({ method }) => method === 'POST')?.body).toEqual({
    roles: ['editor'],
  })
}, 30_000)
