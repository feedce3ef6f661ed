import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { useAccess } from '@/api/access.tsx'
import { usePageNames, usePageParents } from '@/lib/page-name.ts'
import type { AreaRoute } from '../area-route.ts'
import { useShortcuts } from '../keyboard/use-shortcuts.ts'
import { useLiveUpdates } from '../live-updates.ts'
import { navOf } from '../nav.ts'
import { pageTitle } from '../page-title.ts'
import { paths } from '../paths.ts'
import { crumbsOf } from '../route-table.ts'
import { useScrollMemory } from '../scroll-memory.ts'
import { Header } from './header.tsx'
import { Sidebar } from './sidebar.tsx'
import { useSidebar } from './use-sidebar.ts'

const loadPalette = () => import('../palette/palette.tsx').then((module) => ({ default: module.Palette }))
const loadShortcutHelp = () =>
  import('../keyboard/shortcut-help.tsx').then((module) => ({ default: module.ShortcutHelp }))
const Palette = lazy(loadPalette)
const ShortcutHelp = lazy(loadShortcutHelp)
const PhoneMenu = lazy(() => import('./phone-menu.tsx').then((module) => ({ default: module.PhoneMenu })))

type Overlay = 'menu' | 'palette' | 'shortcuts'

/** Menu, header and the page: what every signed-in page sits in. */
export function Shell({ table }: { table: readonly AreaRoute[] }) {
  const access = useAccess()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const sidebar = useSidebar()
  const { overlay, open, close } = useOverlay(pathname)
  const nameOf = usePageNames()
  const parentOf = usePageParents()
  const nav = useMemo(() => navOf(table, access), [table, access])
  const crumbs = crumbsOf(table, pathname, nameOf, parentOf)

  const sessionOver = useCallback(
    () => void navigate(paths.authStateChecker(window.location.pathname + window.location.search)),
    [navigate],
  )
  useLiveUpdates(access.capabilities.live, sessionOver)
  useScrollMemory(main)
  useFocusOnNavigation(pathname)
  useLoadedWhenIdle()
  useShortcuts({
    nav,
    openPalette: () => open('palette'),
    openHelp: () => open('shortcuts'),
  })

  const title = pageTitle(crumbs.length > 0 ? crumbs.map(({ label }) => label) : ['Page not found'])
  useEffect(() => {
    document.title = title
  }, [title])

  return (
    <div className="flex h-dvh">
      <a
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
        className="fixed top-2 left-2 z-80 -translate-y-20 rounded-md bg-accent px-3 py-1.5 text-sm font-medium text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <Sidebar nav={nav} state={sidebar} />
      <div className="flex min-w-0 flex-1 flex-col">
        <Header
          crumbs={crumbs.length > 0 ? crumbs : [{ label: 'Page not found' }]}
          onOpenMenu={() => open('menu')}
          onOpenPalette={() => open('palette')}
          onOpenShortcuts={() => open('shortcuts')}
        />
        <main id="main" ref={main} tabIndex={-1} className="min-h-0 flex-1 overflow-auto -outline-offset-2">
          <Outlet />
        </main>
      </div>
      <Suspense fallback={null}>
        {overlay === 'menu' && <PhoneMenu nav={nav} onClose={close} />}
        {overlay === 'palette' && <Palette nav={nav} onClose={close} />}
        {overlay === 'shortcuts' && <ShortcutHelp nav={nav} onClose={close} />}
      </Suspense>
    </div>
  )
}

/**
 * What lies over the page goes with it, as by the browser's Back. The address is asked and not the page on screen: a key
 * pressed while the next page is loading opens something over that one.
 */
function useOverlay(pathname: string) {
  const [shown, setShown] = useState<{ overlay: Overlay; at: string } | null>(null)
  const close = useCallback(() => setShown(null), [])
  const open = (overlay: Overlay) => setShown({ overlay, at: window.location.pathname })
  useEffect(() => setShown((now) => (now && now.at !== window.location.pathname ? null : now)), [pathname])
  return { overlay: shown?.overlay, open, close }
}

// What a key opens must be there when the key is pressed, or the first letters typed into it are lost.
const idleAfter = 1_500

function useLoadedWhenIdle() {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of [loadPalette, loadShortcutHelp]) load().catch(() => {})
    }, idleAfter)
    return () => clearTimeout(timer)
  }, [])
}

/** A new page is announced by moving to its heading; a changed filter on the same page is not a new page. */
function useFocusOnNavigation(pathname: string) {
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
  }, [pathname])
}
