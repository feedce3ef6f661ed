import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { number, optional, paging, searchParams, sorting, text, triState } from '@/lib/search-params.ts'
import { renderPage } from '@/testing/render.tsx'
import { EmptyState } from '../empty-state.tsx'
import type { Column } from '../table/column.ts'
import { ListPage, type ListPageProps } from './list-page.tsx'
import { useList } from './use-list.ts'

interface Boat {
  id: string
  name: string
}
const boats: Boat[] = [
  { id: '1', name: 'Argo' },
  { id: '2', name: 'Beagle' },
]
const columns: Column<Boat>[] = [
  { id: 'name', header: 'Name', required: true, sortable: true, cell: (boat) => boat.name },
  { id: 'number', header: 'Number', cell: (boat) => boat.id },
]
const filters = searchParams({
  query: text(''),
  flag: text('nl'),
  state: triState(),
  sort: sorting({ id: 'name', desc: false }),
  ...paging(),
  open: optional(),
})
const narrowing = ['query', 'flag', 'state'] as const

function Boats(props: Partial<ListPageProps<Boat>>) {
  const list = useList(filters, narrowing)
  return (
    <ListPage
      id="boats"
      label="Boats"
      noun="boat"
      list={list}
      query={{ error: null, isFetching: false, refetch: () => undefined }}
      rows={boats}
      total={120}
      columns={columns}
      rowId={(boat) => boat.id}
      rowPath={(boat) => `/boats/${boat.id}`}
      search="Search boats"
      filters={[
        list.one('flag', {
          label: 'Flag',
          options: [
            { value: 'nl', label: 'Dutch' },
            { value: 'gb', label: 'British' },
          ],
        }),
        list.signed('state', { label: 'State', options: [{ value: 'afloat', label: 'Afloat' }] }),
      ]}
      empty={<EmptyState title="No boats yet" />}
      {...props}
    />
  )
}
const show = (query = '', props: Partial<ListPageProps<Boat>> = {}) =>
  renderPage(<Boats {...props} />, `/boats${query}`)

test('search, filters and order are in the address, and each starts at the first page', async () => {
  const user = userEvent.setup()
  const { here } = show('?pageIndex=1&open=x')
  await user.type(screen.getByLabelText('Search boats'), 'arg{Enter}')
  await waitFor(() => expect(here()).toBe('/boats?open=x&query=arg'))
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  expect(here()).toBe('/boats?open=x&query=arg&pageIndex=1')
  await user.click(screen.getByRole('button', { name: /^Flag/ }))
  await user.click(await screen.findByRole('option', { name: 'British' }))
  expect(here()).toBe('/boats?open=x&query=arg&flag=gb')
  await user.click(within(screen.getByRole('columnheader', { name: /Name/ })).getByRole('button', { name: /Name/ }))
  expect(here()).toContain('sortBy=name&sortOrder=desc')
})

test('a choice that is taken back is the default again, and Clear puts back every filter but no place', async () => {
  const user = userEvent.setup()
  const { here } = show('?flag=gb&state=afloat:1&query=a&open=x&pageSize=10')
  await user.click(screen.getByRole('button', { name: /^Flag/ }))
  await user.click(await screen.findByRole('option', { name: 'British' }))
  expect(here()).not.toContain('flag')
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  expect(here()).toBe('/boats?open=x&pageSize=10')
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull()
})

test('a row leads to its page, with Ctrl in a new tab', async () => {
  const user = userEvent.setup()
  const opened = vi.spyOn(window, 'open').mockReturnValue(null)
  const { here } = show()
  await user.keyboard('{Control>}')
  await user.click(screen.getByText('Argo'))
  await user.keyboard('{/Control}')
  expect(opened).toHaveBeenCalledWith('/boats/1', '_blank', 'noopener')
  expect(here()).toBe('/boats')
  await user.click(screen.getByText('Beagle'))
  expect(here()).toBe('/boats/2')
})

test('nothing at all, nothing that matches, and a failure say different things', async () => {
  const nothing = show('', { rows: [], total: 0 })
  expect(screen.getByText('No boats yet')).toBeTruthy()
  nothing.unmount()
  const filtered = show('?query=kon', { rows: [], total: 0 })
  expect(screen.getByText('No boat matches these filters')).toBeTruthy()
  filtered.unmount()
  const searched = show('?query=kon', { rows: [], total: 0, filters: [] })
  expect(screen.getByText('No boat matches “kon”')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull()
  searched.unmount()
  const refetch = vi.fn()
  show('', { rows: undefined, query: { error: new Error('The database is away'), isFetching: false, refetch } })
  expect(screen.getByRole('alert').textContent).toContain('The database is away')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
  expect(refetch).toHaveBeenCalledTimes(2)
})

test('pages of one size are shown only when there are several', () => {
  const few = show('', { fixedSize: 100, total: 100 })
  expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull()
  few.unmount()
  show('', { fixedSize: 100, total: 101 })
  expect(screen.getByRole('navigation', { name: 'Pages' }).textContent).toContain('of 101')
})

test('a list without bar or place is a table', () => {
  const none = searchParams({ pageIndex: number(0) })
  const Bare = () => {
    const { values } = useList(none, [])
    return <Boats list={undefined} search={undefined} filters={[]} tools={[]} total={values.pageIndex} />
  }
  renderPage(<Bare />, '/boats')
  expect(screen.queryByRole('search')).toBeNull()
  expect(screen.queryByRole('navigation')).toBeNull()
  expect(screen.getAllByRole('row')).toHaveLength(3)
})

test('a page that is not there says so and leads to the first', async () => {
  const { here } = show('?pageIndex=7', { rows: [], total: undefined })
  expect(await screen.findByText('There is nothing on page 8')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Go to the first page' }))
  await waitFor(() => expect(here()).toBe('/boats'))
})

test('rows that are not counted yet are counted up to here', () => {
  show('?pageIndex=3', { total: undefined, query: { error: null, isFetching: true, refetch: () => undefined } })
  expect(screen.getByText('151–152 of 152')).toBeTruthy()
})
