import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { renderRoutes } from '@/testing/render.tsx'
import { useShortcuts } from './use-shortcuts.ts'

const openPalette = vi.fn()
const openHelp = vi.fn()
const nav = {
  main: [{ label: 'Health', to: '/health', key: 'h' }],
  settings: [{ label: 'Teams', to: '/settings/teams', key: 't' }],
}

function Page() {
  useShortcuts({ nav, openPalette, openHelp })
  return (
    <main id="main">
      <input aria-label="Name" />
      <input aria-label="Find" role="searchbox" />
    </main>
  )
}

beforeEach(() => {
  openPalette.mockClear()
  openHelp.mockClear()
})
afterEach(() => vi.useRealTimers())

describe('shortcuts', () => {
  const show = () => renderRoutes([{ path: '*', element: <Page /> }], '/logs')

  test('g and a letter go to a page of the menu; an unknown letter goes nowhere', async () => {
    const { here } = show()
    await userEvent.keyboard('gt')
    expect(here()).toBe('/settings/teams')
    await userEvent.keyboard('gz')
    await userEvent.keyboard('h')
    expect(here()).toBe('/settings/teams')
    await userEvent.keyboard('gh')
    expect(here()).toBe('/health')
  })

  test('a letter long after g is only a letter', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { here } = show()
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    await user.keyboard('g')
    vi.advanceTimersByTime(1_500)
    await user.keyboard('t')
    expect(here()).toBe('/logs')
  })

  test('nothing happens while somebody types, except the palette', async () => {
    const { here } = show()
    await userEvent.type(screen.getByLabelText('Name'), 'gt?/')
    expect([here(), openHelp.mock.calls.length]).toEqual(['/logs', 0])
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('gt?/')
    await userEvent.keyboard('{Control>}k{/Control}')
    expect(openPalette).toHaveBeenCalledTimes(1)
  })

  test('/ goes to the search field of the page, ? shows the help', async () => {
    show()
    await userEvent.keyboard('/')
    expect(document.activeElement).toBe(screen.getByLabelText('Find'))
    expect(screen.getByLabelText<HTMLInputElement>('Find').value).toBe('')
    ;(document.activeElement as HTMLElement).blur()
    await userEvent.keyboard('?')
    expect(openHelp).toHaveBeenCalledTimes(1)
  })

  test('browser shortcuts are left alone', async () => {
    const { here } = show()
    await userEvent.keyboard('g{Control>}t{/Control}{Alt>}?{/Alt}{Meta>}/{/Meta}')
    expect([here(), openHelp.mock.calls.length, openPalette.mock.calls.length]).toEqual(['/logs', 0, 0])
  })
})
