import { relativeRange } from '@quarterdeck/contract/time-range'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter, useLocation } from 'react-router'
import { describe, expect, test } from 'vitest'
import { searchParams, timeRange } from '@/lib/search-params.ts'
import { useFilters } from '@/lib/use-filters.ts'
import { parseWhen } from './absolute-form.tsx'
import { TimeRangePicker } from './time-range-picker.tsx'

const declared = searchParams({ time: timeRange(relativeRange('2d')) })

function Page() {
  const [{ time }, setFilters] = useFilters(declared)
  return (
    <>
      <TimeRangePicker value={time} onChange={(range) => setFilters({ time: range })} />
      <output>{useLocation().search}</output>
    </>
  )
}

const show = (address = '/jobs') =>
  render(
    <MemoryRouter initialEntries={[address]}>
      <Page />
    </MemoryRouter>,
  )
const address = () => Object.fromEntries(new URLSearchParams(screen.getByRole('status').textContent ?? ''))
const open = async () => {
  fireEvent.click(screen.getByRole('button', { name: /Time range/ }))
  await screen.findByRole('textbox', { name: 'From' })
}
const type = (name: string, value: string) =>
  fireEvent.change(screen.getByRole('textbox', { name }), { target: { value } })
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

describe('time-range picker', () => {
  test('a quick choice goes to the address and shows on the button', async () => {
    show()
    expect(screen.getByText('Last 2 days')).toBeDefined()
    await open()
    fireEvent.click(button('6 hours'))
    expect(address()).toMatchObject({ rangeType: 'relative', range: 'now-6h' })
    expect(screen.getByText('Last 6 hours')).toBeDefined()
    await open()
    fireEvent.click(button('Previous week'))
    expect(address()).toEqual({ rangeType: 'mapped', display: 'Previous week' })
  })

  test('[TIME-08] clear removes every time parameter', async () => {
    show(
      '/jobs?rangeType=absolute&display=Custom&from=2024-08-01T00:00:00Z&to=2024-08-02T00:00:00Z&timeRange=1h&range=x&name=a',
    )
    await open()
    fireEvent.click(button('Clear'))
    expect(address()).toEqual({ name: 'a' })
  })

  test('[TIME-10] an absolute range can be submitted once From and To are set', async () => {
    show()
    await open()
    expect(button('Submit').disabled).toBe(true)
    type('From', '2024-08-01 10:00')
    expect(button('Submit').disabled).toBe(true)
    type('To', '2024-08-02')
    expect(button('Submit').disabled).toBe(false)
    fireEvent.click(button('Submit'))
    expect(address()).toEqual({
      rangeType: 'absolute',
      display: 'Custom',
      from: new Date(2024, 7, 1, 10).toISOString(),
      to: new Date(2024, 7, 2).toISOString(),
    })
  })

  test('an end before the start is refused', async () => {
    show()
    await open()
    type('From', '2024-08-02')
    type('To', '2024-08-01')
    expect(button('Submit').disabled).toBe(true)
    expect(screen.getByText('From must be before To')).toBeDefined()
  })

  test('absolute ranges are offered again', async () => {
    show()
    await open()
    type('From', '2024-08-01')
    type('To', '2024-08-02')
    fireEvent.click(button('Submit'))
    await open()
    fireEvent.click(button('6 hours'))
    await open()
    fireEvent.click(button('2024-08-01 00:00 – 2024-08-02 00:00'))
    expect(address()).toMatchObject({ rangeType: 'absolute' })
  })

  test('typed times', () => {
    expect(parseWhen('2024-08-29 16:05')).toEqual(new Date(2024, 7, 29, 16, 5))
    expect(parseWhen('2024-08-29 9:05')).toEqual(new Date(2024, 7, 29, 9, 5))
    expect(parseWhen('2024-08-29')).toEqual(new Date(2024, 7, 29))
    expect(parseWhen('now-1d')).toBeInstanceOf(Date)
    for (const bad of ['', 'soon', '2024-13-40', '29.08.2024']) expect(parseWhen(bad)).toBeUndefined()
  })
})
