import type { QueryClient } from '@tanstack/react-query'
import { accessOf } from '@/api/access.tsx'
import { capabilitiesQuery } from '@/api/capabilities.ts'
import { dropEarly } from '@/api/early.ts'
import { meQuery, propertiesQuery, sessionQuery } from '@/api/session.ts'
import type { AreaRoute } from './area-route.ts'
import { findRoute } from './route-table.ts'

const done = new Set<string>()

/** Starts loading the page, and what it shows, behind a link of the console. */
export function prefetch(table: readonly AreaRoute[], queries: QueryClient, href: string) {
  const address = new URL(href, window.location.href)
  if (address.origin !== window.location.origin || address.pathname.startsWith('/api/')) return
  const found = findRoute(table, address.pathname)
  if (!found) return
  // A page that cannot be loaded now says so when it is opened.
  if (!done.has(found.route.path)) found.route.page().catch(() => done.delete(found.route.path))
  done.add(found.route.path)
  found.route.prefetch?.(queries, address, found.params)
}

/**
 * Begins the first address before anything is drawn: its code at once, who is here, and then what the page shows. What
 * is drawn later finds the answers there or under way. Whatever fails is told by the one who needs it.
 */
export async function openEarly(table: readonly AreaRoute[], queries: QueryClient, address: URL): Promise<void> {
  const found = findRoute(table, address.pathname)
  const code = found?.route.page().catch(() => undefined)
  if (found?.route.frame === 'account') return void (await code)
  try {
    const [capabilities, me, properties] = await Promise.all([
      queries.fetchQuery(capabilitiesQuery),
      queries.fetchQuery(meQuery),
      queries.fetchQuery(propertiesQuery),
      queries.prefetchQuery(sessionQuery),
    ])
    if (!found) return
    const { route, params } = found
    const access = accessOf(me, properties, capabilities)
    const isOn = !route.feature || access.has(route.feature)
    if (isOn && (!route.access || access.can(...route.access))) await route.prefetch?.(queries, address, params)
  } catch {
    // The guards of the page ask again, and say it.
  } finally {
    dropEarly()
  }
}

/** One listener for all links: resting on one, or reaching it with the keyboard, starts loading its page. */
export function prefetchOnHover(table: readonly AreaRoute[], queries: QueryClient) {
  const onPoint = (event: Event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href^="/"]') : null
    if (link) prefetch(table, queries, link.href)
  }
  document.addEventListener('pointerover', onPoint, { passive: true })
  document.addEventListener('focusin', onPoint, { passive: true })
}
