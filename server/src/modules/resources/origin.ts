/**
 * Where documents come from, as resource_files remembers it:
 * `folder:FILE` the watched folder, `apply:FILE` the command line, `first-start:FILE` what comes with the product,
 * `cluster:SCRAPER` objects of a cluster, by the scraper that found them.
 */
export type OriginType = 'folder' | 'apply' | 'first-start' | 'cluster'

export const originOf = (type: OriginType, file: string): string => `${type}:${file}`

export function readOrigin(source: string): { type: OriginType; file: string } {
  const at = source.indexOf(':')
  return { type: source.slice(0, at) as OriginType, file: source.slice(at + 1) }
}
