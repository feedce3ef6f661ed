import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Markdown } from './markdown.tsx'

test('a document has headings that can be linked to', async () => {
  render(<Markdown isDocument text={'# The title\n\n## Part two!\n\n| a | b |\n|---|---|\n| 1 | `x` |\n'} />)
  expect((await screen.findByRole('heading', { level: 1, name: 'The title' })).id).toBe('the-title')
  expect(screen.getByRole('heading', { level: 2 }).id).toBe('part-two')
  expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['1', 'x'])
})

test('other sites open beside this one, and clicks can be handled', async () => {
  const onLink = vi.fn((event: { preventDefault(): void }) => event.preventDefault())
  render(<Markdown text="[out](https://example.test) [in](jobs.md)" onLink={onLink} />)
  expect((await screen.findByRole('link', { name: 'out' })).getAttribute('target')).toBe('_blank')
  screen.getByRole('link', { name: 'in' }).click()
  expect(onLink).toHaveBeenCalledWith(expect.anything(), 'jobs.md')
})
