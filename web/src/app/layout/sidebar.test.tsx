import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { renderRoutes } from '@/testing/render.tsx'
import { Sidebar } from './sidebar.tsx'
import { useSidebar } from './use-sidebar.ts'

const nav = {
  main: [{ label: 'Health', to: '/health' }],
  settings: [
    { label: 'Agents', to: '/settings/agents' },
    { label: 'Teams', to: '/settings/teams' },
  ],
}
const Page = () => (
  <>
    <Sidebar nav={nav} state={useSidebar()} />
    <p>the page</p>
  </>
)
const show = (at = '/health') => renderRoutes([{ path: '*', element: <Page /> }], at)
const width = (pixels: number) => Object.assign(window, { innerWidth: pixels })

beforeEach(() => {
  localStorage.clear()
  width(1440)
})

describe('sidebar', () => {
  test('[SHELL-09] collapses and expands, and remembers it', async () => {
    const first = show()
    await userEvent.click(screen.getByRole('button', { name: 'Collapse menu' }))
    expect(screen.queryByText('Health')).toBeNull()
    first.unmount()
    const second = show()
    await userEvent.click(screen.getByRole('button', { name: 'Expand menu' }))
    second.unmount()
    show()
    expect(screen.getByText('Health')).toBeTruthy()
  })

  test('[SHELL-10] below 1024 px a press beside it collapses it, inside it does not, above it never does', async () => {
    width(1023)
    show()
    await userEvent.click(screen.getByRole('button', { name: 'Expand menu' }))
    fireEvent.pointerDown(screen.getByText('Health'))
    expect(screen.getByText('Health')).toBeTruthy()
    fireEvent.pointerDown(screen.getByText('the page'))
    expect(screen.queryByText('Health')).toBeNull()
    width(1024)
    await userEvent.click(screen.getByRole('button', { name: 'Expand menu' }))
    fireEvent.pointerDown(screen.getByText('the page'))
    expect(screen.getByText('Health')).toBeTruthy()
  })

  test('the settings open by themselves where the address is one of theirs', async () => {
    const { router } = show('/settings/teams')
    expect(screen.getByRole('link', { name: 'Teams' }).getAttribute('aria-current')).toBe('page')
    await userEvent.click(screen.getByRole('button', { name: 'Settings' }))
    expect(screen.queryByRole('link', { name: 'Teams' })).toBeNull()
    await act(() => router.navigate('/health'))
    await act(() => router.navigate('/settings/agents'))
    expect(screen.getByRole('link', { name: 'Agents' })).toBeTruthy()
  })
})
