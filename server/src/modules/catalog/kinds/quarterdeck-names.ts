import { hostname } from 'node:os'
import type { ItemRef, ScrapeRun } from './kind.ts'

export const hostRef = () => ({ externalId: `host/${hostname()}`, type: 'Host::Machine' })

/** How others refer to the database; the same for every process that uses it. */
export function databaseRef(run: ScrapeRun): ItemRef & { externalId: string } {
  return { externalId: `${serverName(run)}/${databaseName(run)}`, type: 'PostgreSQL::Database' }
}

export function serverName({ ctx }: ScrapeRun): string {
  const url = ctx.config.DATABASE_URL
  if (!url) return `postgresql/${hostRef().externalId}`
  const { hostname, port } = new URL(url)
  return `postgresql/${hostname || 'localhost'}:${port || 5432}`
}

function databaseName({ ctx }: ScrapeRun): string {
  const url = ctx.config.DATABASE_URL
  return url ? decodeURIComponent(new URL(url).pathname.slice(1)) || 'postgres' : 'quarterdeck'
}
