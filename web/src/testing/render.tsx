import type { Role } from '@quarterdeck/contract/permissions'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { createMemoryRouter, type RouteObject, RouterProvider } from 'react-router'
import { AccessProvider } from '@/api/access.tsx'
import { referenceServer } from '@/api/capabilities.ts'
import { createQueryClient } from '@/api/query-client.ts'
import { Toaster } from '@/ui/toast.tsx'

/** Renders routes at an address, with queries and toasts around them. */
export function renderRoutes(routes: RouteObject[], at = '/') {
  const queries = createQueryClient()
  const router = createMemoryRouter(routes, { initialEntries: [at] })
  const view = render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
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
