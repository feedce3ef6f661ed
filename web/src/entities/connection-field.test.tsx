import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { expect, test } from 'vitest'
import { fakeServer } from '@/testing/fake-server.ts'
import { renderInApp } from '@/testing/render.tsx'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { connection } from './connection-field.tsx'

const fields = [connection('target', { label: 'Target', types: ['redis'] })]
function Chosen() {
  return <output>{String(useWatch({ name: 'target' }))}</output>
}
function Form() {
  const form = useForm({ defaultValues: { target: '' } })
  return (
    <FormProvider {...form}>
      <FormFields fields={fields} />
      <Chosen />
    </FormProvider>
  )
}

test('[CONN-34] offers connections of the wanted types by name, and takes what is typed', async () => {
  const server = fakeServer({
    'GET /api/db/connections_list': [
      { id: '1', name: 'cache', namespace: 'prod', type: 'redis' },
      { id: '2', name: 'orders', namespace: 'prod', type: 'postgres' },
    ],
  })
  renderInApp(<Form />)
  const field = screen.getByRole('button', { name: /Target/ })
  await userEvent.click(field)
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toEqual([
    expect.stringContaining('connection://prod/cache'),
  ])
  expect(decodeURIComponent(server.asked('connections_list')[0]!)).toContain('select=id,name,namespace,type')
  await userEvent.click(screen.getByRole('option'))
  expect(screen.getByRole('status').textContent).toBe('connection://prod/cache')
  await userEvent.click(field)
  await userEvent.type(await screen.findByPlaceholderText('Search…'), 'redis://other:6379')
  await userEvent.click(await screen.findByText('Use “redis://other:6379”'))
  expect(screen.getByRole('status').textContent).toBe('redis://other:6379')
}, 20_000)
