import type { QueryClient } from '@tanstack/react-query'
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

/** Starts loading the page of an address while it is still being found out who is here; its data waits for that. */
export function preloadPage(table: readonly AreaRoute[], pathname: string) {
  findRoute(table, pathname)
    ?.route.page()
    .catch(() => undefined)
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
