import type { Route } from './route.ts'

/** Tells "wrong method" from "no such address": the methods that routes with this path take, empty when there is none. */
export function methodFinder(routes: readonly Route[]): (path: string) => string[] {
  const known = routes.map(({ method, path }) => ({ method, pattern: patternOf(path) }))
  return (path) => {
    const methods = known.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)]
  }
}

function patternOf(path: string): RegExp {
  const source = path
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:\w+/g, '[^/]+')
    .replace(/\*$/, '.*')
  return new RegExp(`^${source}$`)
}
