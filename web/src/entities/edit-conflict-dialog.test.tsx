import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { EditConflict, updateOver } from '@/api/edit-conflict.ts'
import { fakeServer } from '@/testing/fake-server.ts'
import { renderInApp } from '@/testing/render.tsx'
import { differenceOf, useEditConflict } from './edit-conflict-dialog.tsx'

const read = { id: 'a', name: 'prod', url: 'http://a', password: 'p1', updated_at: '2026-01-01T00:00:00+00:00' }
const theirs = { ...read, url: 'http://theirs', password: 'p2', updated_at: '2026-01-02T00:00:00+00:00' }
const mine = { url: 'http://mine', password: 'p3' }

function Form() {
  const [shown, setShown] = useState(read)
  const [saved, setSaved] = useState('')
  const { save, dialog } = useEditConflict(read, { name: 'prod', secret: ['password'], onReload: setShown })
  return (
    <>
      <p>{shown.url}</p>
      <p>{saved}</p>
      <button onClick={async () => setSaved(String(await save((over) => updateOver('things', over, mine))))}>
        Save
      </button>
      {dialog}
    </>
  )
}
const server = () =>
  fakeServer({
    'PATCH /api/db/things': ({ query }: { query: URLSearchParams }) =>
      query.get('updated_at') === `eq.${theirs.updated_at}` ? [theirs] : [],
    'GET /api/db/things': [theirs],
  })
const openDialog = async () => {
  renderInApp(<Form />)
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  return screen.findByRole('dialog', { name: 'Somebody else changed prod' })
}

test('the second of two is told, and may overwrite', async () => {
  const asked = server()
  await openDialog()
  expect(asked.asked('PATCH')).toHaveLength(1)
  await userEvent.click(screen.getByRole('button', { name: 'Overwrite theirs' }))
  expect(await screen.findByText('true')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(asked.calls.at(-1)).toMatchObject({ method: 'PATCH', body: mine })
}, 20_000)

test('reload shows what is stored and saves nothing', async () => {
  const asked = server()
  await openDialog()
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }))
  expect(await screen.findByText('http://theirs')).toBeTruthy()
  expect(screen.getByText('false')).toBeTruthy()
  expect(asked.asked('PATCH')).toHaveLength(1)
}, 20_000)

test('Esc keeps editing', async () => {
  const asked = server()
  await openDialog()
  await userEvent.keyboard('{Escape}')
  expect(await screen.findByText('false')).toBeTruthy()
  expect(screen.getByText('http://a')).toBeTruthy()
  expect(asked.asked('PATCH')).toHaveLength(1)
}, 20_000)

test('the difference names changed secrets without showing them', () => {
  const conflict = new EditConflict(read, theirs, mine)
  expect(differenceOf(conflict, 'theirs', ['password'])).toEqual({
    before: 'url: http://a\npassword: (old value, not shown)\n',
    after: 'url: http://theirs\npassword: (new value, not shown)\n',
  })
  expect(differenceOf(conflict, 'yours', []).after).toBe('url: http://mine\npassword: p3\n')
})
