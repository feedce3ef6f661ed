import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { createMemoryRouter, Link, RouterProvider, useSearchParams } from 'react-router'
import { describe, expect, test, vi } from 'vitest'
import { TooltipProvider } from '../tooltip.tsx'
import { text } from './declare.ts'
import { FormDialog } from './form-dialog.tsx'
import { FormDrawer } from './form-drawer.tsx'
import { FormFields } from './form-fields.tsx'

const fields = [text('name')]
const question = 'Discard changes?'
const enter = (value: string) => fireEvent.change(screen.getByLabelText(/^Name/), { target: { value } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

interface Calls {
  onBack?: () => void
  onDelete?: () => unknown
  onSubmit?: () => unknown
}

/** As the connections: which one is open stands in the address. */
function List({ onDelete, onSubmit = () => undefined }: Calls) {
  const [query, setQuery] = useSearchParams()
  return query.has('id') ? (
    <Side onClose={() => setQuery({})} onDelete={onDelete} onSubmit={onSubmit} />
  ) : (
    <Link to="?id=1">open</Link>
  )
}

function Side({ onClose, onDelete, onSubmit }: Calls & { onClose: () => void }) {
  const form = useForm({ defaultValues: { name: '' } })
  return (
    <FormDrawer
      title="One"
      form={form}
      onClose={onClose}
      onSubmit={onSubmit!}
      onDelete={
        onDelete &&
        (async () => {
          await onDelete()
          onClose()
        })
      }
    >
      <FormFields fields={fields} />
    </FormDrawer>
  )
}

function open(calls: Calls = {}) {
  const router = createMemoryRouter([{ path: '/list', element: <List {...calls} /> }], {
    initialEntries: ['/list', '/list?id=1'],
    initialIndex: 1,
  })
  render(
    <TooltipProvider>
      <RouterProvider router={router} />
    </TooltipProvider>,
  )
  return router
}

describe('a drawer with unsaved input', () => {
  test('the way back asks; keeping stays, discarding goes', async () => {
    const router = open()
    enter('x')
    void router.navigate(-1)
    expect(await screen.findByText(question)).toBeDefined()
    press('Keep editing')
    await waitFor(() => expect(screen.queryByText(question)).toBeNull())
    expect(router.state.location.search).toBe('?id=1')
    expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).toBe('x')
    void router.navigate(-1)
    await screen.findByText(question)
    press('Discard')
    expect(await screen.findByText('open')).toBeDefined()
  })

  test('closing asks once, not again because the address changes', async () => {
    open()
    enter('x')
    press('Close')
    await screen.findByText(question)
    press('Discard')
    expect(await screen.findByText('open')).toBeDefined()
    expect(screen.queryByText(question)).toBeNull()
  })

  test('reloading the browser asks, and only then', () => {
    open()
    const leave = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
    expect(leave()).toBe(false)
    enter('x')
    expect(leave()).toBe(true)
    enter('')
    expect(leave()).toBe(false)
  })

  test('a filter of the page is no other place', async () => {
    const router = open()
    enter('x')
    await router.navigate('?id=1&tab=two')
    expect(router.state.location.search).toBe('?id=1&tab=two')
    expect(screen.queryByText(question)).toBeNull()
  })

  test('deleting leaves without a question; a refusal keeps the guard', async () => {
    const onDelete = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('in use')).mockResolvedValue()
    const router = open({ onDelete })
    const remove = async () => {
      press('Delete')
      const [, sure] = await waitFor(() => {
        const found = screen.getAllByRole('button', { name: 'Delete', hidden: true })
        expect(found).toHaveLength(2)
        return found
      })
      fireEvent.click(sure!)
    }
    enter('x')
    await remove()
    await waitFor(() => expect(onDelete).toHaveBeenCalledTimes(1))
    void router.navigate(-1)
    expect(await screen.findByText(question)).toBeDefined()
    press('Keep editing')
    await waitFor(() => expect(screen.queryByText(question)).toBeNull())
    fireEvent.click(screen.getAllByRole('button', { name: 'Delete', hidden: true }).at(-1)!)
    expect(await screen.findByText('open')).toBeDefined()
    expect(screen.queryByText(question)).toBeNull()
  })

  test('a save that saved nothing leaves the input unsaved', async () => {
    const onSubmit = vi.fn(() => Promise.resolve(false))
    const router = open({ onSubmit })
    enter('x')
    await act(async () => press('Save'))
    await waitFor(() => expect(onSubmit).toHaveBeenCalled())
    // The form is busy until the answer has been dealt with.
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(false))
    void router.navigate(-1)
    expect(await screen.findByText(question)).toBeDefined()
  })
})

test('Back of a dialog asks as well', async () => {
  const onBack = vi.fn()
  function Second() {
    const form = useForm({ defaultValues: { name: '' } })
    return (
      <FormDialog
        open
        onOpenChange={() => undefined}
        title="Second step"
        form={form}
        onSubmit={() => undefined}
        onCancel={onBack}
        cancelLabel="Back"
      >
        <FormFields fields={fields} />
      </FormDialog>
    )
  }
  render(<Second />)
  press('Back')
  expect(onBack).toHaveBeenCalledTimes(1)
  enter('x')
  press('Back')
  expect(onBack).toHaveBeenCalledTimes(1)
  await screen.findByText(question)
  press('Discard')
  await waitFor(() => expect(onBack).toHaveBeenCalledTimes(2))
})
