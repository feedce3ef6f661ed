import type { Role } from '@quarterdeck/contract/permissions'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactElement, ReactNode } from 'react'
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router'
import { vi } from 'vitest'
import { AccessProvider } from '@/api/access.tsx'
import { referenceServer } from '@/api/capabilities.ts'
import { createQueryClient } from '@/api/query-client.ts'
import { Toaster } from '@/ui/toast.tsx'
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

/** A JSON value, or a function that makes one of the request. */
type Answer = object | string | number | boolean | null

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

/** Renders routes at an address, with queries and toasts around them. */
export function renderRoutes(routes: RouteObject[], at = '/') {
  const queries = createQueryClient()
  const router = createMemoryRouter(routes, { initialEntries: [at] })
  const view = render(
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <RouterProvider router={router} />
      </TooltipProvider>
      <Toaster />
    </QueryClientProvider>,
  )
  const here = () => router.state.location.pathname + router.state.location.search
  return { ...view, router, queries, here }
}

/** Renders one page at an address; any other address is an empty page. */
export const renderPage = (element: ReactNode, at: string) =>
  renderRoutes(
    [
      { path: new URL(at, 'http://localhost').pathname, element },
      { path: '*', element: null },
    ],
    at,
  )

/** Somebody signed in with these roles, for components that ask what they may do. */
export function As({ roles, off = [], children }: { roles: Role[]; off?: string[]; children: ReactNode }) {
  return (
    <AccessProvider
      me={{ user: { id: 'person-1', name: 'Ada Lovelace', email: 'ada@example.test' }, roles }}
      properties={off.map((feature) => ({ name: `${feature}.disable`, value: 'true', source: 'db', description: '' }))}
      capabilities={{ ...referenceServer, auth: 'builtin' }}
    >
      {children}
    </AccessProvider>
  )
}
