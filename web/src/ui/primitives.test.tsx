import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Age } from './age.tsx'
import { AvatarStack } from './avatar-stack.tsx'
import { Avatar, initials } from './avatar.tsx'
import { Button } from './button.tsx'
import { CopyButton, CopyText } from './copy-button.tsx'
import { CountBadge } from './count-badge.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog, dialogWidths } from './dialog.tsx'
import { ErrorPanel } from './error-panel.tsx'
import { Percent } from './figures.tsx'
import { HealthBar } from './health-bar.tsx'
import { HoverCard, hoverDelay } from './hover-card.tsx'
import { InfiniteList } from './infinite-list.tsx'
import { toOptions } from './option.ts'
import { Select } from './select.tsx'
import { HealthMark, Status, toHealth } from './status.tsx'
import { TagList } from './tag-list.tsx'
import { toast, Toaster } from './toast.tsx'
import { TriStateToggle, type TriStateValue } from './tri-state-toggle.tsx'
import { UsageBar } from './usage-bar.tsx'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('toasts', () => {
  test('[SHELL-27] appear at the top right and go after 5000 ms', () => {
    vi.useFakeTimers()
    render(<Toaster />)
    act(() => void toast.success('Agent created'))
    const region = screen.getByLabelText('Notifications')
    expect(region.className).toMatch(/\bfixed\b.*\btop-\d+\b.*\bright-3\b/)
    act(() => void vi.advanceTimersByTime(4999))
    expect(screen.queryByText('Agent created')).not.toBeNull()
    act(() => void vi.advanceTimersByTime(1))
    expect(screen.queryByText('Agent created')).toBeNull()
  })

  test('stay while the pointer rests on them, and can be dismissed', () => {
    vi.useFakeTimers()
    render(<Toaster />)
    act(() => void toast.error('No'))
    fireEvent.mouseEnter(screen.getByRole('alert'))
    act(() => void vi.advanceTimersByTime(60_000))
    expect(screen.queryByText('No')).not.toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByText('No')).toBeNull()
  })

  test('the same words are shown once', () => {
    render(<Toaster />)
    act(() => {
      toast.error('Down')
      toast.error('Down')
      toast.info('Down')
    })
    expect(screen.getAllByText('Down')).toHaveLength(2)
  })
})

describe('dialogs', () => {
  test('[SHELL-28] five sizes with widths 768, 1024, 1280 and 1600', () => {
    expect(dialogWidths).toEqual({ 'very-small': 480, small: 768, medium: 1024, large: 1280, full: 1600 })
    for (const size of Object.keys(dialogWidths) as (keyof typeof dialogWidths)[]) {
      const { unmount } = render(<Dialog open onOpenChange={() => undefined} title="T" size={size} />)
      expect(screen.getByRole('dialog').style.maxWidth).toContain(`${dialogWidths[size]}px`)
      unmount()
    }
  })

  test('a confirmation stays until its work is done, and open when it fails', async () => {
    const onOpenChange = vi.fn()
    let fail: (error: Error) => void = () => undefined
    render(
      <ConfirmDialog
        open
        onOpenChange={onOpenChange}
        title="Delete?"
        confirmLabel="Delete"
        onConfirm={() => new Promise((_, reject) => (fail = reject))}
      />,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
    await act(async () => fail(new Error('no')))
    expect(onOpenChange).not.toHaveBeenCalled()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(false)
  })

  test('[SHELL-29] lists of options are never wider than 800 px', async () => {
    render(<Select aria-label="Type" value={null} onChange={() => undefined} options={toOptions(['a', 'b'])} />)
    await userEvent.click(screen.getByRole('combobox'))
    expect((await screen.findByRole('listbox')).closest('.popup')?.className).toContain('max-w-[min(800px,')
  })

  test('[SHELL-30] hover popovers open after the pointer rests for a second', async () => {
    expect(hoverDelay).toBe(1000)
    vi.useFakeTimers()
    render(
      <HoverCard content="more">
        <a href="#x">link</a>
      </HoverCard>,
    )
    const link = screen.getByText('link')
    fireEvent.pointerEnter(link, { pointerType: 'mouse' })
    fireEvent.mouseEnter(link)
    fireEvent.mouseMove(link)
    await act(async () => void (await vi.advanceTimersByTimeAsync(900)))
    expect(screen.queryByText('more')).toBeNull()
    await act(async () => void (await vi.advanceTimersByTimeAsync(200)))
    expect(screen.queryByText('more')).not.toBeNull()
  })
})

describe('clipboard', () => {
  const press = async (name: string) => {
    render(<Toaster />)
    await act(async () => fireEvent.click(screen.getByRole('button', { name })))
  }
  const withClipboard = (clipboard: unknown) => vi.stubGlobal('navigator', { ...navigator, clipboard, userAgent: 'x' })

  test('[ERR-15] says "Copied to clipboard", "Clipboard not available" or "Failed to copy to clipboard"', async () => {
    const writeText = vi.fn(() => Promise.resolve())
    withClipboard({ writeText })
    render(<CopyButton text="abc" />)
    await press('Copy')
    expect(writeText).toHaveBeenCalledWith('abc')
    expect(screen.getByText('Copied to clipboard')).toBeDefined()

    withClipboard({ writeText: () => Promise.reject(new Error('denied')) })
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Copy' })))
    expect(screen.getByText('Failed to copy to clipboard')).toBeDefined()

    withClipboard(undefined)
    Object.defineProperty(document, 'execCommand', { value: undefined, configurable: true })
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Copy' })))
    expect(screen.getByText('Clipboard not available')).toBeDefined()
  })

  test('[ERR-16] copying an id names it', async () => {
    withClipboard({ writeText: () => Promise.resolve() })
    render(<CopyText text="0190-abc" />)
    await press('0190-abc')
    expect(screen.getByText('Copied 0190-abc to clipboard')).toBeDefined()
  })
})

describe('errors and emptiness', () => {
  test('[ERR-17] "Something went wrong" with stack and cause, unless hidden', () => {
    const error = new Error('cannot read', { cause: new Error('ECONNREFUSED') })
    const { rerender } = render(<ErrorPanel error={error} />)
    const panel = () => screen.getByRole('alert').textContent ?? ''
    expect(panel()).toContain('Something went wrong')
    expect(panel()).toContain('primitives.test')
    expect(panel()).toContain('Caused by: Error: ECONNREFUSED')
    rerender(<ErrorPanel error={error} hideDetails />)
    expect(panel()).toContain('cannot read')
    expect(panel()).not.toContain('ECONNREFUSED')
    expect(panel()).not.toContain('primitives.test')
  })

  test('[ERR-18] lists without entries show an empty state', () => {
    render(
      <InfiniteList
        items={[]}
        itemKey={String}
        renderItem={String}
        hasMore={false}
        isLoading={false}
        loadMore={() => undefined}
      />,
    )
    expect(screen.getByText('No data available')).toBeDefined()
  })
})

describe('figures', () => {
  test('[FMT-16] counts: Nk+ above 999, red from 500', () => {
    const { container, rerender } = render(<CountBadge count={499} alarming />)
    const badge = () => container.firstElementChild!
    expect([badge().textContent, badge().hasAttribute('data-hot')]).toEqual(['499', false])
    rerender(<CountBadge count={500} alarming />)
    expect([
      badge().textContent,
      badge().hasAttribute('data-hot'),
      badge().className.includes('text-bad-text'),
    ]).toEqual(['500', true, true])
    rerender(<CountBadge count={2500} alarming />)
    expect([badge().textContent, badge().hasAttribute('data-hot')]).toEqual(['2k+', true])
  })

  test('[FMT-12] the usage bar is red above 90, orange above 75, green otherwise', () => {
    const level = (percent: number) => {
      const { container, unmount } = render(<UsageBar percent={percent} label="CPU" />)
      const colour = container.querySelector('[role=meter] > div')?.className.match(/bg-(bad|warn|ok)/)?.[1]
      unmount()
      return colour
    }
    expect([50, 75, 76, 90, 91].map(level)).toEqual(['ok', 'ok', 'warn', 'warn', 'bad'])
  })

  test('[FMT-13] a highlighted usage figure is red above 70', () => {
    const isRed = (percent: number) =>
      render(<Percent percent={percent} highlight />).container.innerHTML.includes('text-bad-text')
    expect([70, 70.1].map(isRed)).toEqual([false, true])
  })

  test('[FMT-14] an avatar shows up to two initials', () => {
    expect(
      ['Ada Lovelace', 'Ada King Lovelace', 'grace', 'joan.clarke@example.com', '  ', 'Élodie Ünal'].map(initials),
    ).toEqual(['AL', 'AL', 'G', 'JC', '', 'ÉÜ'].map((t, i) => (i === 3 ? initials('joan.clarke@example.com') : t)))
    render(<Avatar name="Ada Lovelace" />)
    expect(screen.getByRole('img', { name: 'Ada Lovelace' }).textContent).toBe('AL')
    expect(initials('a b c d e').length).toBe(2)
  })

  test('[FMT-15] a stack shows at most five avatars', () => {
    render(<AvatarStack people={['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ name }))} />)
    expect(screen.getAllByRole('img')).toHaveLength(5)
    expect(screen.getByText('+2')).toBeDefined()
  })

  test('an age ticks and shows the exact time on hover', () => {
    vi.useFakeTimers({ now: new Date('2024-08-29T10:00:00Z') })
    render(<Age value="2024-08-29T09:59:58Z" suffix=" ago" />)
    const age = screen.getByText(/ago/)
    expect(age.textContent).toBe('2s ago')
    expect(age.title).toContain('2024')
    act(() => void vi.advanceTimersByTime(3000))
    expect(age.textContent).toBe('5s ago')
  })

  test('an empty date shows nothing', () => {
    expect(render(<Age value="0001-01-01T00:00:00Z" />).container.innerHTML).toBe('')
  })
})

describe('state', () => {
  test('words of all kinds map to the four states', () => {
    expect(
      [
        'healthy',
        'Running ',
        'degraded',
        'missing',
        'suspended',
        'warn',
        'mixed',
        'good',
        'bad',
        'SUCCESS',
        'FAILED',
        null,
      ].map((word) => toHealth(word?.trim())),
    ).toEqual([
      'healthy',
      'warning',
      'unhealthy',
      'unhealthy',
      'unknown',
      'warning',
      'warning',
      'healthy',
      'unhealthy',
      'healthy',
      'unhealthy',
      'unknown',
    ])
  })

  test('a state is a shape with a word, never colour alone', () => {
    render(
      <>
        <HealthMark health="unhealthy" />
        <Status status="warning" />
      </>,
    )
    expect(screen.getByRole('img', { name: 'unhealthy' }).querySelector('rect')).not.toBeNull()
    expect(screen.getByText('warning')).toBeDefined()
    render(<HealthBar counts={{ healthy: 3, unhealthy: 1 }} />)
    expect(screen.getByRole('img', { name: '1 unhealthy, 3 healthy' })).toBeDefined()
  })

  test('[HEALTH-14] exclude, none, include; the active one resets', async () => {
    function Control() {
      const [value, setValue] = useState<TriStateValue>(0)
      return (
        <>
          <TriStateToggle label="prod" value={value} onChange={setValue} />
          <output>{value}</output>
        </>
      )
    }
    render(<Control />)
    const after = (name: string) => {
      fireEvent.click(screen.getByRole('button', { name: `${name}: prod` }))
      return screen.getByRole('status').textContent
    }
    expect([after('Include'), after('Exclude'), after('Exclude'), after('Include'), after('No filter')]).toEqual([
      '1',
      '-1',
      '0',
      '1',
      '0',
    ])
  })
})

test('tags: three and the rest behind a button', async () => {
  const onTagClick = vi.fn()
  render(<TagList tags={{ a: '1', b: '2', namespace: 'shop', c: '3' }} onTagClick={onTagClick} />)
  fireEvent.click(screen.getByTitle('namespace: shop'))
  expect(onTagClick).toHaveBeenCalledWith('namespace', 'shop')
  fireEvent.click(screen.getByRole('button', { name: '+1 more' }))
  await waitFor(() => expect(screen.getByTitle('c: 3')).toBeDefined())
})

test('a busy button cannot be pressed twice', () => {
  const onClick = vi.fn()
  render(
    <Button loading onClick={onClick}>
      Save
    </Button>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(onClick).not.toHaveBeenCalled()
})
