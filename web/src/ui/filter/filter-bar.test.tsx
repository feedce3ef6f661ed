import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { TriState } from '@quarterdeck/contract/tri-state'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { toOptions } from '../option.ts'
import { FilterBar, SearchFilter } from './filter-bar.tsx'
import { chipsOf, type Filter } from './filters.ts'

afterEach(() => vi.useRealTimers())

const statuses = toOptions(['Running', 'Failed', 'Pending', 'Unknown', 'Deleted'])
const signed = (value: TriState, onChange: (value: TriState) => void = () => undefined): Filter => ({
  kind: 'signed',
  label: 'Status',
  value,
  onChange,
  options: statuses,
})

function Bar({ initial = {} }: { initial?: TriState }) {
  const [status, setStatus] = useState<TriState>(initial)
  return (
    <>
      <FilterBar filters={[signed(status, setStatus)]} chips onClear={() => setStatus({})} />
      <output>{JSON.stringify(status)}</output>
    </>
  )
}
const value = () => screen.getByRole('status').textContent

describe('chips', () => {
  const texts = (state: TriState) => chipsOf(signed(state)).map((chip) => chip.text)

  test('[TABLE-09] up to three items stand alone, four or more become counts', () => {
    expect(texts({ Running: 1, Failed: 1, Pending: 1 })).toEqual(['Running', 'Failed', 'Pending'])
    expect(texts({ Running: 1, Failed: 1, Pending: 1, Unknown: 1 })).toEqual(['4 included'])
    expect(texts({ Running: 1, Failed: 1, Pending: 1, Unknown: -1 })).toEqual(['3 included', '1 excluded'])
    const many: Filter = {
      kind: 'many',
      label: 'Kind',
      value: ['a', 'b', 'c', 'd'],
      onChange: () => undefined,
      options: [],
    }
    expect(chipsOf(many).map((chip) => chip.text)).toEqual(['4 selected'])
  })

  test('a chip removes its value, a count all it stands for', async () => {
    render(<Bar initial={{ Running: 1, Failed: 1 }} />)
    await userEvent.click(screen.getByRole('button', { name: 'Remove Status Running' }))
    expect(value()).toBe('{"Failed":1}')
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
    expect(value()).toBe('{}')
  })
})

describe('include and exclude', () => {
  test('click includes, again resets; excluding clears what was included', async () => {
    render(<Bar />)
    await userEvent.click(screen.getByRole('button', { name: 'Status' }))
    const option = (name: string) => screen.getByRole('option', { name: new RegExp(name) })
    await userEvent.click(option('Running'))
    await userEvent.click(option('Failed'))
    expect(value()).toBe('{"Running":1,"Failed":1}')
    await userEvent.click(option('Running'))
    expect(value()).toBe('{"Failed":1}')
    await userEvent.click(option('Pending').querySelector('[data-sign="-1"]')!)
    expect(value()).toBe('{"Pending":-1}')
  })

  test('the keyboard does the same', async () => {
    render(<Bar />)
    await userEvent.click(screen.getByRole('button', { name: 'Status' }))
    await userEvent.keyboard('{ArrowDown}{Enter}')
    expect(value()).toBe('{"Failed":1}')
    await userEvent.keyboard('{ArrowDown}{Shift>}{Enter}{/Shift}')
    expect(value()).toBe('{"Pending":-1}')
  })

  test('[FORM-03] the search of options rests 100 ms before it filters', async () => {
    render(<Bar />)
    fireEvent.click(screen.getByRole('button', { name: 'Status' }))
    vi.useFakeTimers()
    fireEvent.change(screen.getByRole('combobox'), { target: { value: 'fail' } })
    act(() => void vi.advanceTimersByTime(99))
    expect(screen.getAllByRole('option')).toHaveLength(5)
    act(() => void vi.advanceTimersByTime(1))
    expect(screen.getAllByRole('option').map((o) => o.textContent)).toEqual(['Failed'])
  })

  test('[ERR-20] nothing found reads "No result"', async () => {
    render(<Bar />)
    await userEvent.click(screen.getByRole('button', { name: 'Status' }))
    await userEvent.type(screen.getByRole('combobox'), 'xyz')
    expect(await screen.findByText('No result')).toBeDefined()
  })
})

describe('search', () => {
  test('reports after 400 ms of rest, at once on Enter and when emptied', () => {
    vi.useFakeTimers()
    const onChange = vi.fn()
    render(<SearchFilter value="" onChange={onChange} />)
    const box = screen.getByRole('searchbox')
    const type = (text: string) => fireEvent.change(box, { target: { value: text } })
    type('red')
    act(() => void vi.advanceTimersByTime(300))
    type('redis')
    act(() => void vi.advanceTimersByTime(399))
    expect(onChange).not.toHaveBeenCalled()
    act(() => void vi.advanceTimersByTime(1))
    expect(onChange.mock.calls).toEqual([['redis']])
    type('redis-1')
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(onChange).toHaveBeenLastCalledWith('redis-1')
    type('')
    expect(onChange).toHaveBeenLastCalledWith('')
  })

  test('what is typed while the last word is still on its way back stays', () => {
    vi.useFakeTimers()
    const onChange = vi.fn()
    const { rerender } = render(<SearchFilter value="" onChange={onChange} />)
    const input = screen.getByRole('searchbox')
    fireEvent.change(input, { target: { value: 's' } })
    act(() => void vi.advanceTimersByTime(400))
    fireEvent.change(input, { target: { value: 'se' } })
    rerender(<SearchFilter value="s" onChange={onChange} />)
    expect((input as HTMLInputElement).value).toBe('se')
    act(() => void vi.advanceTimersByTime(400))
    expect(onChange.mock.calls.flat()).toEqual(['s', 'se'])
  })
  test('follows the address', () => {
    const { rerender } = render(<SearchFilter value="a" onChange={() => undefined} />)
    rerender(<SearchFilter value="b" onChange={() => undefined} />)
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('b')
  })
})
