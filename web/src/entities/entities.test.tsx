import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answer, renderInApp } from '@/testing/render.tsx'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { AgentBadge } from './agent-badge.tsx'
import { nilAgent } from './people.ts'
import { PersonAvatar } from './person-avatar.tsx'
import { config } from './picker-fields.tsx'
import { ConfigPicker, PersonPicker } from './pickers.tsx'
import { CheckBadge, ConfigLink } from './resource-link.tsx'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const pod = { id: 'c1', name: 'web-1', type: 'Kubernetes::Pod', tags: { namespace: 'shop' } }

describe('agents', () => {
  test('[API-09] the all-zero id is no agent: nothing is shown, linked or asked for', () => {
    const asked = answer({})
    const { container } = renderInApp(
      <>
        <AgentBadge id={nilAgent} />
        <AgentBadge agent={{ id: nilAgent, name: 'local' }} />
        <AgentBadge id={null} />
      </>,
    )
    expect(container.textContent).toBe('')
    expect(screen.queryByRole('link')).toBeNull()
    expect(asked).toHaveLength(0)
  })

  test('a real agent links to its page', async () => {
    answer({ '/api/db/agents': [{ id: 'a1', name: 'eu-west' }] })
    renderInApp(<AgentBadge id="a1" />)
    expect((await screen.findByRole('link', { name: 'eu-west' })).getAttribute('href')).toBe('/settings/agents?id=a1')
  })
})

describe('links', () => {
  test('a catalog item by row and by id', async () => {
    answer({ '/api/db/configs': [pod] })
    renderInApp(
      <>
        <ConfigLink config={{ id: 'c2', name: 'db' }} />
        <ConfigLink id="c1" />
      </>,
    )
    expect(screen.getByRole('link', { name: 'db' }).getAttribute('href')).toBe('/catalog/c2')
    expect((await screen.findByRole('link', { name: 'web-1' })).getAttribute('href')).toBe('/catalog/c1')
  })

  test('a check shows its state', () => {
    answer({})
    renderInApp(<CheckBadge check={{ id: 'k', name: 'home page', status: 'unhealthy' }} />)
    expect(screen.getByRole('img', { name: 'unhealthy' })).toBeDefined()
  })

  test('a person by id', async () => {
    answer({ '/api/db/people': [{ id: 'p', name: 'Ada Lovelace' }] })
    renderInApp(<PersonAvatar id="p" withName />)
    expect(await screen.findByText('Ada Lovelace')).toBeDefined()
  })
})

function Picked({ picker: Picker }: { picker: typeof PersonPicker }) {
  const [value, setValue] = useState<string | undefined>('')
  return (
    <>
      <Picker aria-label="Pick" value={value} onChange={setValue} />
      <output>{value}</output>
    </>
  )
}
const open = () => act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Pick' })))

describe('pickers', () => {
  test('people without technical accounts', async () => {
    answer({
      '/api/db/people': [
        { id: '1', name: 'Ada' },
        { id: '2', name: 'agent eu', type: 'agent' },
        { id: '3', name: 'Gone', deleted_at: '2024-01-01' },
      ],
    })
    renderInApp(<Picked picker={PersonPicker} />)
    await open()
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
    fireEvent.click(screen.getByRole('option', { name: /Ada/ }))
    expect(screen.getByRole('status').textContent).toBe('1')
  })

  test('[FORM-03] resources are asked for after 300 ms of rest', async () => {
    const asked = answer({ '/api/db/configs': [pod] })
    renderInApp(<Picked picker={ConfigPicker} />)
    expect(asked).toHaveLength(0)
    await open()
    await waitFor(() => expect(asked).toHaveLength(1))
    vi.useFakeTimers()
    fireEvent.change(screen.getByRole('combobox'), { target: { value: 'web' } })
    await act(async () => void (await vi.advanceTimersByTimeAsync(299)))
    expect(asked).toHaveLength(1)
    await act(async () => void (await vi.advanceTimersByTimeAsync(1)))
    expect(asked).toHaveLength(2)
    expect(asked[1]!.url.searchParams.get('name')).toBe('ilike.*web*')
  })

  test('with selectors the server decides what is allowed', async () => {
    const asked = answer({ '/api/resources/search': { configs: [pod] } })
    const fields = [config('config_id', { required: true, selectors: [{ types: ['Kubernetes::Pod'] }] })]
    function Form() {
      const form = useForm()
      return (
        <FormProvider {...form}>
          <FormFields fields={fields} />
          <output>{JSON.stringify(form.watch())}</output>
        </FormProvider>
      )
    }
    renderInApp(<Form />)
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: /Config/ })))
    fireEvent.click(await screen.findByRole('option', { name: /web-1/ }))
    expect(asked[0]?.body).toEqual({ configs: [{ types: ['Kubernetes::Pod'] }] })
    expect(screen.getByRole('status').textContent).toBe('{"config_id":"c1"}')
  })
})
