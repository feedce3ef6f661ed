import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Markdown } from './markdown.tsx'

test('text, tables and code become HTML', () => {
  render(<Markdown text={'# Title\n\n| a | b |\n|---|---|\n| 1 | `x` |\n'} />)
  expect(screen.getByRole('heading', { name: 'Title' })).toBeTruthy()
  expect(screen.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['1', 'x'])
})

test('nothing in it can run or imitate the console', () => {
  const { container } = render(
    <Markdown
      text={
        '<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a>' +
        '<form action=/steal><input name=p></form><style>*{display:none}</style><p style="position:fixed">y</p><iframe src=//evil></iframe>'
      }
    />,
  )
  expect(container.innerHTML).not.toMatch(/script|onerror|<form|<input|<style|style=|iframe/)
})

test('other sites open beside this one, and clicks can be handled', () => {
  const onLink = vi.fn((event: { preventDefault(): void }) => event.preventDefault())
  render(<Markdown text="[out](https://example.test) [in](jobs.md)" onLink={onLink} />)
  expect(screen.getByRole('link', { name: 'out' }).getAttribute('target')).toBe('_blank')
  screen.getByRole('link', { name: 'in' }).click()
  expect(onLink).toHaveBeenCalledWith(expect.anything(), 'jobs.md')
})
