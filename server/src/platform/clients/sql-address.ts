import { InvalidTarget, type Target } from './run.ts'

export type SqlTarget = Target & { url: string }
/** Hears of every row as it comes, so that a million of them need no memory. */
export type OnRow = (row: Record<string, unknown>) => void

/** The address of a database, as every driver wants it in pieces. */
export interface SqlAddress {
  host: string
  port?: number
  username?: string
  password?: string
  database?: string
  options: Record<string, string>
}

/** Reads `scheme://user:password@host:port/database?options`; user and password of the target win. */
export function sqlAddress(target: SqlTarget): SqlAddress {
  let url: URL
  try {
    url = new URL(target.url)
  } catch {
    throw new InvalidTarget('the url of the database cannot be read')
  }
  const text = (part: string) => (part ? decodeURIComponent(part) : undefined)
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost',
    port: url.port ? Number(url.port) : undefined,
    username: target.username ?? text(url.username),
    password: target.password ?? text(url.password),
    database: text(url.pathname.slice(1)),
    options: Object.fromEntries(url.searchParams),
  }
}
