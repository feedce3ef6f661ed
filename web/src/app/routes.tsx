import type { RouteObject } from 'react-router'
import { Navigate, useLocation, useParams } from 'react-router'
import { useAccess } from '@/api/access.tsx'
import { routes as promised } from '@/features/not-landed/not-landed.routes.tsx'
import type { AreaRoute } from './area-route.ts'
import { NotFound, RouteError, Unauthorized } from './error-pages/screens.tsx'
import { RoutePage } from './guards/route-page.tsx'
import { SignedIn } from './guards/signed-in.tsx'
import { AccountFrame } from './layout/account-frame.tsx'
import { PageSkeleton, ShellSkeleton } from './layout/shell-skeleton.tsx'
import { Shell } from './layout/shell.tsx'
import { homeOf, navOf } from './nav.ts'
import { paths, withQuery } from './paths.ts'
import { mergeRoutes } from './route-table.ts'

const areas = import.meta.glob<AreaRoute[]>(['../features/**/*.routes.tsx', '!../features/not-landed/**'], {
  eager: true,
  import: 'routes',
})

/** Every address of the console. */
export const routeTable: AreaRoute[] = mergeRoutes(Object.values(areas).flat(), promised)

type Params = Readonly<Record<string, string | undefined>>

/** Addresses that lead elsewhere; the query goes with them. */
export const redirects: Record<string, string | ((params: Params) => string)> = {
  '/configs': paths.catalog,
  '/config/*': (params) => `${paths.catalog}/${params['*'] ?? ''}`,
  '/agents': paths.agents,
  '/settings/log-backends': paths.settingsTable('logging_backends'),
  '/settings/connections/:id': ({ id }) => withQuery(paths.connections, { id }),
  '/settings/notifications/:id': ({ id }) => withQuery(paths.notifications, { id }),
  '/playbooks/:id': ({ id }) => paths.runsOfPlaybook(id!),
}

function Redirect({ to }: { to: string | ((params: Params) => string) }) {
  const params = useParams()
  const { search, hash } = useLocation()
  const target = typeof to === 'string' ? to : to(params)
  const query = target.includes('?') ? search.replace('?', '&') : search
  return <Navigate to={target + query + hash} replace />
}

/** `/` and `/settings` lead to the first page this person has. */
function First({ settings }: { settings?: boolean }) {
  const nav = navOf(routeTable, useAccess())
  const to = settings ? nav.settings[0]?.to : homeOf(nav)
  return to ? <Navigate to={to} replace /> : <Unauthorized />
}

const inFrame = (frame: NonNullable<AreaRoute['frame']>): RouteObject[] =>
  routeTable
    .filter((route) => (route.frame ?? 'shell') === frame)
    .map((route) => ({ path: route.path, element: <RoutePage route={route} />, errorElement: <RouteError /> }))

export const routes: RouteObject[] = [
  {
    errorElement: <RouteError whole />,
    children: [
      { element: <AccountFrame table={routeTable} />, children: inFrame('account') },
      ...inFrame('standalone').map((route) => ({
        ...route,
        element: (
          <SignedIn loading={<PageSkeleton />} waitForFlags={false}>
            <main id="main" className="h-dvh overflow-auto">
              {route.element}
            </main>
          </SignedIn>
        ),
      })),
      {
        element: (
          <SignedIn loading={<ShellSkeleton />}>
            <Shell table={routeTable} />
          </SignedIn>
        ),
        children: [
          { path: paths.home, element: <First /> },
          { path: paths.settings, element: <First settings /> },
          ...Object.entries(redirects).map(([path, to]) => ({ path, element: <Redirect to={to} /> })),
          ...inFrame('shell'),
          { path: '*', element: <NotFound /> },
        ],
      },
    ],
  },
]
