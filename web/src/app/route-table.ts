import { matchPath } from 'react-router'
import type { AreaRoute } from './area-route.ts'

/** Every address of the console. Areas come first: a record of an area replaces the promise made for its path. */
export function mergeRoutes(areas: readonly AreaRoute[], promised: readonly AreaRoute[]): AreaRoute[] {
  const landed = new Set(areas.map((route) => route.path))
  const twice = areas.filter((route, index) => areas.findIndex((other) => other.path === route.path) !== index)
  if (twice.length > 0) throw new Error(`Two areas claim ${twice[0]!.path}`)
  return [...areas, ...promised.filter((route) => !landed.has(route.path))]
}

const ordered = new WeakMap<readonly AreaRoute[], AreaRoute[]>()

/** A pattern with fewer placeholders is the better match: /catalog/changes before /catalog/:id. */
function bySpecificity(table: readonly AreaRoute[]): AreaRoute[] {
  let sorted = ordered.get(table)
  if (!sorted) {
    const placeholders = ({ path }: AreaRoute) => path.split(':').length
    sorted = [...table].sort((a, b) => placeholders(a) - placeholders(b))
    ordered.set(table, sorted)
  }
  return sorted
}

/** The record of an address, with the values of its placeholders. */
export function findRoute(table: readonly AreaRoute[], pathname: string) {
  const parts = pathname.replace(/(?<=.)\/+$/, '').split('/').length
  for (const route of bySpecificity(table)) {
    // Comparing lengths first spares most of the pattern matching.
    if (route.path.split('/').length !== parts) continue
    const match = matchPath(route.path, pathname)
    if (match) return { route, params: match.params }
  }
  return undefined
}

export interface Crumb {
  label: string
  /** Absent for a heading without a page of its own. */
  to?: string
}

/** The way to an address: every part of it that is a page, named by its record or by what the page calls itself. */
export function crumbsOf(
  table: readonly AreaRoute[],
  pathname: string,
  nameOf: (pathname: string) => string | undefined = () => undefined,
  parentOf: (pathname: string) => Crumb | undefined = () => undefined,
): Crumb[] {
  const parts = pathname.split('/').filter(Boolean)
  const crumbs: Crumb[] = []
  for (let length = 1; length <= parts.length; length++) {
    const at = `/${parts.slice(0, length).join('/')}`
    const found = findRoute(table, at)
    const parent = found && parentOf(at)
    if (parent) crumbs.push(parent)
    if (found) crumbs.push({ label: nameOf(at) ?? found.route.title, to: found.route.crumbTo ?? at })
    else if (at === '/settings') crumbs.push({ label: 'Settings' })
  }
  return crumbs
}
