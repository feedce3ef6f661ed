import { act, screen } from '@testing-library/react'
import { useRef } from 'react'
import { Outlet } from 'react-router'
import { expect, test } from 'vitest'
import { renderRoutes } from '@/testing/render.tsx'
import { useScrollMemory } from './scroll-memory.ts'

function Frame() {
  const main = useRef<HTMLElement>(null)
  useScrollMemory(main)
  return (
    <main ref={main}>
      <Outlet />
    </main>
  )
}

const routes = [{ element: <Frame />, children: [{ path: '*', element: <p>page</p> }] }]
const scroller = () => screen.getByRole('main')
function scrollTo(top: number) {
  scroller().scrollTop = top
  scroller().dispatchEvent(new Event('scroll'))
}

test('a new page begins at its top, going back returns to where it was, a filter stays', async () => {
  const { router } = renderRoutes(routes, '/a')
  scrollTo(300)
  await act(() => router.navigate('/b'))
  expect(scroller().scrollTop).toBe(0)
  scrollTo(120)
  await act(() => router.navigate('/b?query=x'))
  expect(scroller().scrollTop).toBe(120)
  scrollTo(80)
  await act(() => router.navigate(-2))
  expect(scroller().scrollTop).toBe(300)
  await act(() => router.navigate(1))
  expect(scroller().scrollTop).toBe(120)
})
