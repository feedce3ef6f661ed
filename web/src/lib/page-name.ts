import { useEffect, useSyncExternalStore } from 'react'

// Names of things by the address they are shown at. Kept after leaving, so that going back shows them at once.
const most = 200
const names = new Map<string, string>()
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells heading, browser tab and breadcrumbs what the thing at this address is called: `usePageName(paths.config(id), item?.name)`. */
export function usePageName(pathname: string, name: string | null | undefined) {
  useEffect(() => {
    if (!name || names.get(pathname) === name) return
    names.delete(pathname)
    names.set(pathname, name)
    if (names.size > most) names.delete(names.keys().next().value!)
    for (const listener of listeners) listener()
  }, [pathname, name])
}

/** The name last given to an address; the shell's side of usePageName. */
export function usePageNames(): (pathname: string) => string | undefined {
  useSyncExternalStore(subscribe, () => [...names.values()].join('\n'))
  return (pathname) => names.get(pathname)
}
