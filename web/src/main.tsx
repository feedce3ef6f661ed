import './ui/theme.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, RouterProvider } from 'react-router'
import { onSessionLost } from './api/client.ts'
import { createQueryClient } from './api/query-client.ts'
import { onReport } from './api/report.ts'
import { paths } from './app/paths.ts'
import { openEarly, prefetchOnHover } from './app/prefetch.ts'
import { reloadOnceWhenStale } from './app/stale-build.ts'
import { routes, routeTable } from './app/routes.tsx'
import { captureCredentials } from './features/auth/credentials.ts'
import { toast, Toaster } from './ui/toast.tsx'

captureCredentials()
reloadOnceWhenStale()

const queries = createQueryClient()
const router = createBrowserRouter(routes)

onReport(toast.error)
onSessionLost(() => {
  const { pathname, search } = window.location
  if (pathname !== '/auth-state-checker' && pathname !== paths.login) {
    void router.navigate(paths.authStateChecker(pathname + search))
  }
})
prefetchOnHover(routeTable, queries)
void openEarly(routeTable, queries, new URL(window.location.href))

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
)
