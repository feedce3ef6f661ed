import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactElement } from 'react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { vi } from 'vitest'
import { TooltipProvider } from '@/ui/tooltip.tsx'

/** Renders inside the router and query cache that the shell provides. */
export function renderInApp(element: ReactElement, { address = '/', path = '*' } = {}) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const router = createMemoryRouter([{ path, element }], { initialEntries: [address] })
  const result = render(
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <RouterProvider router={router} />
      </TooltipProvider>
    </QueryClientProvider>,
  )
  return { ...result, router, queries }
}

type Answer = unknown | ((request: { url: URL; method: string; body: unknown }) => unknown)

/**
 * Answers fetch by the start of the path: `answer({ '/api/db/people': [{…}] })`. Returns what was asked, in order. A test
 * that asks for something else fails with a 404 and its address.
 */
export function answer(answers: Record<string, Answer>) {
  const asked: { url: URL; method: string; body: unknown }[] = []
  vi.stubGlobal(
    'fetch',
    vi.fn(async (input: RequestInfo | URL, init?: RequestInit) => {
      const url = new URL(String(input), 'http://console.test')
      const request = {
        url,
        method: init?.method ?? 'GET',
        body: typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined,
      }
      asked.push(request)
      const match = Object.keys(answers)
        .filter((start) => url.pathname.startsWith(start))
        .sort((a, b) => b.length - a.length)[0]
      if (match === undefined)
        return new Response(JSON.stringify({ message: `No answer for ${url.pathname}` }), { status: 404 })
      const found = answers[match]
      const body: unknown = typeof found === 'function' ? (found as (r: typeof request) => unknown)(request) : found
      return new Response(JSON.stringify(body), { status: 200, headers: { 'content-type': 'application/json' } })
    }),
  )
  return asked
}
