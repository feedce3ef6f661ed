import type { QuarterdeckScraper } from '@quarterdeck/contract/scrapers/quarterdeck'
import type { Sql } from '../../../platform/db/db.ts'
import type { ScrapedAnalysis, ScrapedChange, ScrapedItem, ScrapeResult, ScrapeRun } from './kind.ts'
import { databaseRef, hostRef, serverName } from './quarterdeck-names.ts'
import { databaseFacts, migrations, serverSettings, type TableFacts, tableFacts } from './quarterdeck.sql.ts'

const source = 'own database'

/** The database server, the database, its schemas and tables. */
export async function* databaseItems(run: ScrapeRun, spec: QuarterdeckScraper): AsyncIterable<ScrapeResult> {
  const { server, facts, tables, applied } = await run.ctx.db.tx(async (sql: Sql) => {
    await sql.query('set transaction read only')
    await sql.query(`set local statement_timeout = '60s'`)
    return {
      server: await serverSettings(sql),
      facts: await databaseFacts(sql),
      tables: spec.tables ? await tableFacts(sql) : [],
      applied: await migrations(sql),
    }
  })
  const isLocal = !run.ctx.config.DATABASE_URL || isLoopback(run.ctx.config.DATABASE_URL)
  const serverRef = { externalId: serverName(run), type: 'PostgreSQL::Server' }
  const settings = Object.fromEntries(server.settings.map(({ name, value }) => [name, value]))
  yield {
    item: {
      id: serverRef.externalId,
      type: serverRef.type,
      configClass: 'DatabaseServer',
      name: `PostgreSQL ${server.version.split(' ')[0]}`,
      status: 'Running',
      health: 'healthy',
      source,
      labels: { version: server.version.split(' ')[0]! },
      config: { version: server.version, settings },
      properties: [
        { name: 'Connections', value: server.connections, max: Number(settings.max_connections) || undefined },
      ],
      parents: isLocal ? [hostRef()] : [],
      analyses: settingFindings(settings),
    },
  }
  const ref = databaseRef(run)
  yield {
    item: {
      id: ref.externalId,
      type: 'PostgreSQL::Database',
      configClass: 'Database',
      name: facts.name,
      status: 'Running',
      health: 'healthy',
      source,
      config: {
        name: facts.name,
        owner: facts.owner,
        encoding: facts.encoding,
        collation: facts.collation,
        extensions: facts.extensions,
      },
      properties: [{ name: 'Size', value: Number(facts.size), unit: 'bytes', headline: true }],
      parents: [serverRef],
      changes: applied.map(({ path, updated_at }): Omit<ScrapedChange, 'item'> => ({
        changeType: 'Migration',
        externalChangeId: `migration ${path} ${updated_at.toISOString()}`,
        severity: 'info',
        summary: path,
        source: 'quarterdeck migrate',
        createdAt: updated_at,
      })),
    },
  }
  const schemas = [...new Set(tables.map(({ schema }) => schema))]
  for (const schema of schemas) {
    yield {
      item: {
        id: `${ref.externalId}/${schema}`,
        type: 'PostgreSQL::Schema',
        configClass: 'Schema',
        name: schema,
        health: 'healthy',
        source,
        config: { name: schema, tables: tables.filter((table) => table.schema === schema).map(({ name }) => name) },
        parents: [ref],
      },
    }
  }
  for (const table of tables) yield { item: tableItem(table, ref.externalId) }
}

function tableItem(table: TableFacts, database: string): ScrapedItem {
  const idOf = (schema: string, name: string) => `${database}/${schema}/${name}`
  const type = 'PostgreSQL::Table'
  return {
    id: idOf(table.schema, table.name),
    type,
    configClass: 'Table',
    name: table.name,
    health: 'healthy',
    source,
    description: table.description ?? undefined,
    tags: { namespace: table.schema },
    config: {
      schema: table.schema,
      name: table.name,
      isPartitioned: table.partitioned || undefined,
      columns: table.columns,
      indexes: table.indexes,
      foreignKeys: table.references.map(({ schema, name, constraint }) => ({
        constraint,
        references: `${schema}.${name}`,
      })),
    },
    properties: [
      { name: 'Rows', value: Math.max(0, Math.round(Number(table.rows))) },
      { name: 'Size', value: Number(table.size), unit: 'bytes', headline: true },
    ],
    parents: [{ externalId: `${database}/${table.schema}`, type: 'PostgreSQL::Schema' }],
    relationships: table.references.map(({ schema, name }) => ({
      to: { externalId: idOf(schema, name), type },
      relation: 'ForeignKey',
    })),
  }
}

/** Settings with which a power failure costs data. */
function settingFindings(settings: Record<string, string>): Omit<ScrapedAnalysis, 'item'>[] {
  return ['fsync', 'full_page_writes']
    .filter((name) => settings[name] === 'off')
    .map((name) => ({
      analyzer: `${name}-off`,
      analysisType: 'reliability',
      severity: 'critical',
      source: 'Quarterdeck',
      summary: `${name} is off`,
      message: `The database server runs with ${name} off: a crash of the machine can destroy the database.`,
    }))
}

function isLoopback(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]', ''].includes(new URL(url).hostname)
}
