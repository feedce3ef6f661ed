import { SqlScraper } from '@quarterdeck/contract/scrapers/sql'
import type { OnRow, SqlTarget } from '../../../platform/clients/sql-address.ts'
import { InvalidScraper, type ScraperKind, type ScrapeRun } from './kind.ts'
import { fillIn, targetOf, textOf } from './support.ts'

const maxRows = 200_000

/** One item per row; a row of one column gives the document itself. */
export const sql: ScraperKind<SqlScraper> = {
  key: 'sql',
  schema: SqlScraper,
  concurrency: 10,
  async *scrape(run, spec) {
    const rows: Record<string, unknown>[] = []
    let count = 0
    const onRow: OnRow = (row) => {
      count += 1
      if (rows.length < maxRows) rows.push(row)
    }
    const source = await query(run, spec, onRow)
    for (const row of rows) yield { item: { config: bodyOf(row), source } }
    if (count > rows.length)
      yield { error: { message: `the query gave ${count} rows; ${rows.length} were taken`, partial: true } }
  },
}

async function query(run: ScrapeRun, spec: SqlScraper, onRow: OnRow): Promise<string> {
  const found = await targetOf(run, {
    connection: spec.connection,
    username: spec.auth?.username,
    password: spec.auth?.password,
  })
  const username = found.username || undefined
  const password = (await textOf(run, spec.auth?.password)) ?? (found.password || undefined)
  if (!found.url) throw new InvalidScraper('the connection has no address')
  const url = await fillIn(found.url, { username, password, properties: found.properties })
  const target: SqlTarget = { url, username, password, properties: found.properties, insecureTls: found.insecureTls }
  const driver = driverOf(spec.driver, url)
  await (
    await driverModule(driver)
  )(run, target, spec.query, onRow)
  return `${driver} ${found.name || hostOf(url)}`.trim()
}

const driverModule = async (driver: string) => {
  switch (driver) {
    case 'mysql':
      return (await import('../../../platform/clients/mysql.ts')).queryMysql
    case 'mssql':
      return (await import('../../../platform/clients/mssql.ts')).queryMssql
    default:
      return (await import('../../../platform/clients/postgres.ts')).queryPostgres
  }
}

function driverOf(given: string | undefined, url: string): string {
  const word = given ?? /^([a-z]+)(?:\+[a-z]+)?:/i.exec(url)?.[1]?.toLowerCase() ?? ''
  if (word.startsWith('postgres')) return 'postgres'
  if (word === 'mysql' || word === 'mariadb' || /@(tcp)?\(/.test(url)) return 'mysql'
  if (word === 'mssql' || word === 'sqlserver') return 'mssql'
  throw new InvalidScraper('the address does not say which database it is; set driver to postgres, mysql or mssql')
}

function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return ''
  }
}

/** All values as text; a single column is the body. */
function bodyOf(row: Record<string, unknown>): unknown {
  const columns = Object.entries(row)
  if (columns.length === 1) {
    const value = columns[0]![1]
    return typeof value === 'object' && value !== null && !(value instanceof Date) ? value : (textValue(value) ?? '')
  }
  return Object.fromEntries(columns.map(([name, value]) => [name, textValue(value)]))
}

function textValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value as string | number | boolean | bigint)
}
