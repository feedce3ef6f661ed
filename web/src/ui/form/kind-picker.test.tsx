import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { KindPicker, type KindPickerProps, type Kind } from './kind-picker.tsx'

const groups = [
  { title: 'Databases', kinds: [{ key: 'pg', label: 'Postgres', icon: 'postgres' }] },
  { title: 'Files', about: 'Folders and buckets', kinds: [{ label: 'SFTP', icon: 'sftp', about: 'Reads a folder' }] },
]
function show(props: Partial<KindPickerProps<Kind>> = {}) {
  const onPick = vi.fn()
  const onClose = vi.fn()
  render(
    <KindPicker
      title="Add Store"
      nouns={['kind of store', 'kinds of stores']}
      groups={groups}
      onPick={onPick}
      onClose={onClose}
      {...props}
    />,
  )
  return { onPick, onClose }
}
const names = () =>
  screen.queryAllByRole('listitem').map((item) => item.querySelector('button')?.getAttribute('aria-label'))

test('search finds by label, name in documents, words about it and its group', async () => {
  const user = userEvent.setup()
  show()
  const search = screen.getByLabelText('Search kinds of stores')
  for (const [words, found] of [
    ['PG', ['Postgres']],
    ['folder', ['SFTP']],
    ['datab', ['Postgres']],
    ['s', ['Postgres', 'SFTP']],
    ['oracle', []],
  ] as const) {
    await user.clear(search)
    await user.type(search, words)
    expect(names()).toEqual(found)
  }
  expect(screen.getByText('No kind of store matches “oracle”')).toBeTruthy()
})

test('a click picks, Enter picks the first that was found, Escape closes', async () => {
  const user = userEvent.setup()
  const { onPick, onClose } = show({ frame: 'drawer' })
  await user.click(screen.getByRole('button', { name: 'SFTP' }))
  expect(onPick).toHaveBeenLastCalledWith(groups[1]!.kinds[0])
  await user.type(screen.getByLabelText('Search kinds of stores'), '{Enter}')
  expect(onPick).toHaveBeenCalledTimes(1)
  await user.type(screen.getByLabelText('Search kinds of stores'), 'post{Enter}')
  expect(onPick).toHaveBeenLastCalledWith(groups[0]!.kinds[0])
  await user.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalled()
})

test('a single list needs no heading, a short one no search', () => {
  show({ groups: [groups[0]!], hasSearch: false })
  expect(screen.queryByRole('heading', { name: 'Databases' })).toBeNull()
  expect(screen.getByRole('list', { name: 'Databases' })).toBeTruthy()
  expect(screen.queryByRole('searchbox')).toBeNull()
})

test('groups are named without becoming landmarks beside those of the page', () => {
  show()
  expect(screen.getByRole('group', { name: 'Databases' })).toBeTruthy()
  expect(screen.queryByRole('region')).toBeNull()
})
