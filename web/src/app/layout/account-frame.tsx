import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { AccessProvider } from '@/api/access.tsx'
import { capabilitiesQuery } from '@/api/capabilities.ts'
import { meQuery } from '@/api/session.ts'
import { Hosted } from '@/features/auth/hosted/hosted.tsx'
import type { AreaRoute } from '../area-route.ts'
import { pageTitle } from '../page-title.ts'
import { paths } from '../paths.ts'
import { findRoute } from '../route-table.ts'
import { useTheme } from '../theme.ts'
import { Logo } from './logo.tsx'
import { UserButton } from './user-button.tsx'

/** What sign-in, account and error pages sit in: the name of the product and a quiet page. */
export function AccountFrame({ table }: { table: readonly AreaRoute[] }) {
  const { pathname } = useLocation()
  const title = findRoute(table, pathname)?.route.title ?? ''
  const before = useRef(pathname)
  useTheme()
  useEffect(() => {
    document.title = pageTitle([title])
    if (before.current !== pathname) document.querySelector<HTMLElement>('h1')?.focus()
    before.current = pathname
  }, [title, pathname])
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-14 shrink-0 items-center justify-between px-4">
        <Link to={paths.home} className="flex items-center gap-2.5 rounded-md text-base font-semibold">
          <Logo />
          Quarterdeck
        </Link>
        {pathname.startsWith(paths.error) && <ErrorPageMenu />}
      </header>
      <main
        id="main"
        tabIndex={-1}
        className="flex flex-1 flex-col items-center px-4 pt-[max(1rem,10vh)] pb-16 outline-none"
      >
        <Outlet />
      </main>
    </div>
  )
}

/** Who is there may be exactly what is broken, so the menu shows with or without an answer. */
function ErrorPageMenu() {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const { data: me } = useQuery(meQuery)
  const menu =
    me && capabilities ? (
      <AccessProvider me={me} properties={[]} capabilities={capabilities}>
        <UserButton />
      </AccessProvider>
    ) : (
      <UserButton />
    )
  if (!capabilities?.hosted) return menu
  return (
    <div className="flex items-center gap-3">
      <Hosted part="switcher" />
      {menu}
    </div>
  )
}
