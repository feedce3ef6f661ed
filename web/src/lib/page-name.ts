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

// What stands between a thing and its list in the breadcrumbs, e.g. its type.
const parents = new Map<string, { label: string; to: string }>()

/** Puts one more step before a thing in the breadcrumbs: `usePageParent(paths.config(id), item.type, listOfThatType)`. */
export function usePageParent(pathname: string, label: string | null | undefined, to: string | null | undefined) {
  useEffect(() => {
    const known = parents.get(pathname)
    if (!label || !to || (known?.label === label && known.to === to)) return
    parents.delete(pathname)
    parents.set(pathname, { label, to })
    if (parents.size > most) parents.delete(parents.keys().next().value!)
    for (const listener of listeners) listener()
  }, [pathname, label, to])
}

/** The step before the thing at an address; the shell's side of usePageParent. */
export function usePageParents(): (pathname: string) => { label: string; to: string } | undefined {
  useSyncExternalStore(subscribe, () => [...parents.values()].map(({ label, to }) => label + to).join('\n'))
  return (pathname) => parents.get(pathname)
}

/** The name last given to an address; the shell's side of usePageName. */
export function usePageNames(): (pathname: string) => string | undefined {
  useSyncExternalStore(subscribe, () => [...names.values()].join('\n'))
  return (pathname) => names.get(pathname)
}
