import { act, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { isNearEnd } from '../infinite-list.tsx'
import type { Column } from './column.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'
import { pageSizes, Pagination } from './pagination.tsx'

interface Item {
  id: string
  name: string
  size?: number
  gone?: boolean
  children?: Item[]
}

const columns: Column<Item>[] = [
  { id: 'name', header: 'Name', cell: (i) => i.name, value: (i) => i.name, grow: true, required: true },
  { id: 'size', header: 'Size', cell: (i) => i.size, value: (i) => i.size, align: 'right' },
  { id: 'note', header: 'Note', cell: () => 'note', hidden: true },
]
const items: Item[] = [
  { id: '1', name: 'pod-10', size: 3 },
  { id: '2', name: 'pod-2' },
  { id: '3', name: 'Alpha', size: 20 },
]
const many = (count: number): Item[] =>
  Array.from({ length: count }, (_, i) => ({ id: String(i), name: `row ${i}`, size: i }))

function show(props: Partial<DataTableProps<Item>> = {}) {
  return render(<DataTable id="test" label="Items" columns={columns} rows={items} rowId={(i) => i.id} {...props} />)
}
const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getAllByRole('cell')[0]?.textContent)

describe('sorting', () => {
  test('[TABLE-01] a header click cycles ascending, descending, none', async () => {
    show()
    const header = () => screen.getByRole('columnheader', { name: /Name/ })
    const click = () => userEvent.click(screen.getByRole('button', { name: 'Name' }))
    expect(header().getAttribute('aria-sort')).toBe('none')
    await click()
    expect([header().getAttribute('aria-sort'), ...names()]).toEqual(['ascending', 'Alpha', 'pod-2', 'pod-10'])
    await click()
    expect([header().getAttribute('aria-sort'), ...names()]).toEqual(['descending', 'pod-10', 'pod-2', 'Alpha'])
    await click()
    expect([header().getAttribute('aria-sort'), ...names()]).toEqual(['none', 'pod-10', 'pod-2', 'Alpha'])
  })

  test('figures also start ascending; empty values are last both ways', async () => {
    show()
    const click = () => userEvent.click(screen.getByRole('button', { name: 'Size' }))
    await click()
    expect(names()).toEqual(['pod-10', 'Alpha', 'pod-2'])
    await click()
    expect(names()).toEqual(['Alpha', 'pod-10', 'pod-2'])
  })

  test('with the order kept by the server a click only reports', async () => {
    const onSortChange = vi.fn()
    const sortable = columns.map((c) => ({ ...c, sortable: c.id === 'name' }))
    show({ columns: sortable, serverSort: true, sort: { id: 'name', desc: true }, onSortChange })
    expect(names()).toEqual(['pod-10', 'pod-2', 'Alpha'])
    expect(screen.queryByRole('button', { name: 'Size' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Name' }))
    expect(onSortChange).toHaveBeenLastCalledWith(undefined)
  })

  test('some rows stay last', async () => {
    show({ rows: [{ id: 'x', name: 'a', gone: true }, ...items], sortLast: (i) => !!i.gone })
    await userEvent.click(screen.getByRole('button', { name: 'Name' }))
    expect(names()).toEqual(['Alpha', 'pod-2', 'pod-10', 'a'])
  })
})

describe('what is shown', () => {
  test('[TABLE-06] nothing: "No data available"; loading: a skeleton in the same columns', () => {
    const { rerender, container } = show({ rows: [] })
    expect(screen.getByText('No data available')).toBeDefined()
    rerender(<DataTable id="test" label="Items" columns={columns} rows={undefined} rowId={(i) => i.id} />)
    expect(screen.queryByText('No data available')).toBeNull()
    expect(container.querySelectorAll('tr[data-skeleton]').length).toBeGreaterThan(3)
    expect(screen.getByRole('columnheader', { name: 'Name' })).toBeDefined()
    expect(screen.getByRole('table').getAttribute('aria-busy')).toBe('true')
  })

  test('a failure is shown with another try', async () => {
    const onRetry = vi.fn()
    show({ rows: undefined, error: new Error('permission denied'), onRetry })
    expect(screen.getByRole('alert').textContent).toContain('permission denied')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(onRetry).toHaveBeenCalledOnce()
  })

  test('[TABLE-05] large tables render the rows in view, 35 px each, and 10 beyond', () => {
    show({ rows: many(10_000) })
    const rows = document.querySelectorAll<HTMLElement>('tr[data-index]')
    // A box of 700 px shows 20 rows and the one that is cut.
    expect(rows.length).toBeGreaterThanOrEqual(30)
    expect(rows.length).toBeLessThanOrEqual(32)
    expect(rows[0]?.style.height).toBe('35px')
    const spacer = document.querySelector<HTMLElement>('tbody tr[aria-hidden]')
    expect(Number.parseInt(spacer?.style.height ?? '', 10) + rows.length * 35).toBe(350_000)
  })

  test('parts of a longer list stand in their places; the rest are grey bars', () => {
    const onRange = vi.fn()
    const opened: string[] = []
    const { container } = show({
      sparse: { total: 40, positions: [0, 1, 30], onRange },
      onRowClick: (row) => opened.push(row.name),
    })
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('41')
    expect([...container.querySelectorAll('tr[data-index]')].map((row) => row.getAttribute('data-index'))).toEqual([
      '0',
      '1',
      '30',
    ])
    expect(container.querySelectorAll('tr[data-skeleton]')).toHaveLength(37)
    expect(onRange).toHaveBeenCalledWith(0, 39)
    fireEvent.click(container.querySelector('tr[data-index="30"]')!)
    expect(opened).toEqual(['Alpha'])
  })

  test('row height and overscan can be set', () => {
    show({ rows: many(10_000), rowHeight: 37, overscan: 20 })
    const rows = document.querySelectorAll<HTMLElement>('tr[data-index]')
    expect(rows[0]?.style.height).toBe('37px')
    expect(rows.length).toBeGreaterThanOrEqual(38)
    expect(rows.length).toBeLessThanOrEqual(41)
  })
})

describe('pages', () => {
  test('[TABLE-02] page sizes', async () => {
    expect([...pageSizes]).toEqual([5, 10, 25, 50, 100, 150, 200, 250, 300, 500, 1000])
    const onChange = vi.fn()
    render(<Pagination pageIndex={2} pageSize={50} total={500} onChange={onChange} />)
    await userEvent.click(screen.getByRole('combobox', { name: 'Rows per page' }))
    expect(screen.getAllByRole('option').map((o) => o.textContent)).toEqual(pageSizes.map(String))
    await userEvent.click(screen.getByRole('option', { name: '25' }))
    // The first row that was in view stays in view.
    expect(onChange).toHaveBeenCalledWith({ pageSize: 25, pageIndex: 4 })
  })

  test('[TABLE-03] go to page: at least 1, at most the last page', async () => {
    const onChange = vi.fn()
    render(<Pagination pageIndex={0} pageSize={50} total={1234} onChange={onChange} />)
    const input = screen.getByRole('spinbutton', { name: 'Go to page' })
    expect([input.getAttribute('min'), input.getAttribute('max')]).toEqual(['1', '25'])
    const type = async (text: string) => {
      await userEvent.clear(input)
      await userEvent.type(input, `${text}{Enter}`)
    }
    await type('99')
    expect(onChange).toHaveBeenLastCalledWith({ pageSize: 50, pageIndex: 24 })
    await type('7')
    expect(onChange).toHaveBeenLastCalledWith({ pageSize: 50, pageIndex: 6 })
    onChange.mockClear()
    await type('0')
    await type('-3')
    expect(onChange.mock.calls.every(([page]) => page.pageIndex === 0)).toBe(true)
  })

  test('without a total the table cuts the pages itself', async () => {
    function Paged() {
      const [page, setPage] = useState({ pageIndex: 0, pageSize: 2 })
      return (
        <DataTable
          id="p"
          label="Items"
          columns={columns}
          rows={items}
          rowId={(i) => i.id}
          pagination={{ ...page, onChange: setPage }}
        />
      )
    }
    render(<Paged />)
    expect(names()).toEqual(['pod-10', 'pod-2'])
    expect(screen.getByText('1–2 of 3')).toBeDefined()
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
    expect(names()).toEqual(['Alpha'])
  })

  test('[TABLE-04] reaching the last row doubles the page size, once per size, until all are there', () => {
    const onPageSizeChange = vi.fn()
    const growing = { pageSize: 200, total: 1000, onPageSizeChange }
    const { rerender } = show({ rows: many(200), growing })
    expect(onPageSizeChange).not.toHaveBeenCalled()
    const box = document.querySelector<HTMLElement>('[data-table]')!
    act(() => {
      box.scrollTop = 200 * 35
      fireEvent.scroll(box)
    })
    expect(onPageSizeChange.mock.calls).toEqual([[400]])
    rerender(
      <DataTable
        id="test"
        label="Items"
        columns={columns}
        rows={many(200)}
        rowId={(i) => i.id}
        growing={{ ...growing }}
      />,
    )
    expect(onPageSizeChange).toHaveBeenCalledTimes(1)
    act(() => {
      rerender(
        <DataTable
          id="test"
          label="Items"
          columns={columns}
          rows={many(200)}
          rowId={(i) => i.id}
          growing={{ pageSize: 400, total: 200, onPageSizeChange }}
        />,
      )
      fireEvent.scroll(box)
    })
    expect(onPageSizeChange).toHaveBeenCalledTimes(1)
  })

  test('[TABLE-11] more is loaded within 300 px of the end', () => {
    expect(isNearEnd({ scrollTop: 1000, clientHeight: 700, scrollHeight: 2000 })).toBe(true)
    expect(isNearEnd({ scrollTop: 999, clientHeight: 700, scrollHeight: 2000 })).toBe(false)
    const load = vi.fn()
    show({ rows: many(150), loadMore: { hasMore: true, isLoading: false, load } })
    const box = document.querySelector<HTMLElement>('[data-table]')!
    load.mockClear()
    Object.defineProperties(box, { scrollHeight: { value: 5000 }, clientHeight: { value: 700 } })
    box.scrollTop = 3999
    fireEvent.scroll(box)
    expect(load).not.toHaveBeenCalled()
    box.scrollTop = 4000
    fireEvent.scroll(box)
    expect(load).toHaveBeenCalledOnce()
  })
})

describe('memory', () => {
  test('[TABLE-08] column sizes are kept on the device', async () => {
    const { unmount } = show()
    const handle = document.querySelector<HTMLElement>('[data-resize=size]')!
    handle.setPointerCapture = () => undefined
    fireEvent.pointerDown(handle, { clientX: 100, pointerId: 1 })
    fireEvent.pointerMove(handle, { clientX: 130, pointerId: 1 })
    fireEvent.pointerUp(handle, { clientX: 130, pointerId: 1 })
    const width = () => document.querySelectorAll<HTMLElement>('col')[1]?.style.width
    expect(width()).toBe('1030px')
    expect(localStorage.getItem('quarterdeck.table.test.sizes')).toBe('{"size":1030}')
    unmount()
    show()
    expect(width()).toBe('1030px')
    fireEvent.doubleClick(document.querySelector<HTMLElement>('[data-resize=size]')!)
    expect(width()).toBe('120px')
  })

  test('[TABLE-07] scroll and expanded rows are kept for the session under a key', async () => {
    const tree = many(3).map((item) => ({
      ...item,
      id: `g${item.id}`,
      children: many(50).map((c) => ({ ...c, id: `${item.id}/${c.id}` })),
    }))
    const props = { rows: tree, subRows: (i: Item) => i.children }
    const { unmount } = show(props)
    expect(names()).toHaveLength(3)
    await userEvent.click(screen.getAllByRole('button', { name: 'Expand' })[1]!)
    expect(names()).toHaveLength(53)
    const box = document.querySelector<HTMLElement>('[data-table]')!
    box.scrollTop = 420
    fireEvent.scroll(box)
    unmount()
    expect(JSON.parse(sessionStorage.getItem('quarterdeck.table.test.place')!)).toEqual({
      scroll: 420,
      expanded: { g1: true },
    })
    show(props)
    expect(names()).toHaveLength(53)
    expect(document.querySelector<HTMLElement>('[data-table]')!.scrollTop).toBe(420)
  })

  test('hidden columns can be shown, and the choice stays', async () => {
    const { unmount } = render(
      <>
        <ColumnsMenu tableId="test" columns={columns} />
        <DataTable id="test" label="Items" columns={columns} rows={items} rowId={(i) => i.id} />
      </>,
    )
    expect(screen.queryByRole('columnheader', { name: 'Note' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }))
    expect(screen.queryByRole('menuitemcheckbox', { name: 'Name' })).toBeNull()
    await userEvent.click(screen.getByRole('menuitemcheckbox', { name: 'Note' }))
    unmount()
    show()
    expect(screen.getByRole('columnheader', { name: 'Note' })).toBeDefined()
  })
})

describe('rows', () => {
  test('click opens, the control key asks for a new tab, controls inside keep their click', async () => {
    const onRowClick = vi.fn()
    const press = vi.fn()
    show({
      onRowClick,
      columns: [...columns, { id: 'x', header: '', cell: () => <button onClick={press}>Run</button> }],
    })
    await userEvent.click(screen.getByText('pod-2'))
    expect(onRowClick).toHaveBeenLastCalledWith(items[1], { newTab: false })
    fireEvent.click(screen.getByText('Alpha'), { ctrlKey: true })
    expect(onRowClick).toHaveBeenLastCalledWith(items[2], { newTab: true })
    await userEvent.click(screen.getAllByRole('button', { name: 'Run' })[0]!)
    expect(press).toHaveBeenCalledOnce()
    expect(onRowClick).toHaveBeenCalledTimes(2)
  })

  test('j and k move from anywhere, Enter opens', async () => {
    const onRowClick = vi.fn()
    show({ onRowClick })
    await userEvent.keyboard('j')
    expect(document.activeElement?.textContent).toContain('pod-10')
    await userEvent.keyboard('jj')
    expect(document.activeElement?.textContent).toContain('Alpha')
    await userEvent.keyboard('k{Enter}')
    expect(onRowClick).toHaveBeenCalledWith(items[1], { newTab: false })
  })

  test('groups open with a click or the right arrow and close with the left', async () => {
    const rows = [{ id: 'g', name: 'group', children: items }]
    const onRowClick = vi.fn()
    show({ rows, subRows: (i) => i.children, onRowClick })
    await userEvent.keyboard('j{ArrowRight}')
    expect(names()).toEqual(['group', 'pod-10', 'pod-2', 'Alpha'])
    await userEvent.keyboard('{ArrowLeft}')
    expect(names()).toEqual(['group'])
    await userEvent.click(screen.getByText('group'))
    expect(names()).toHaveLength(4)
    expect(onRowClick).not.toHaveBeenCalled()
  })

  test('the open row is marked', () => {
    show({ selectedId: '2' })
    expect(screen.getByText('pod-2').closest('tr')?.getAttribute('aria-current')).toBe('true')
  })
})
