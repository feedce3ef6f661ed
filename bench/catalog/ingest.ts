import { pino } from 'pino'
import type { Context } from '../../server/src/context.ts'
import { CustomScraper } from '../../contract/src/scrapers/custom.ts'
import { Ingest } from '../../server/src/modules/catalog/ingest/ingest.ts'
import type { ScraperKind } from '../../server/src/modules/catalog/kinds/kind.ts'
import { collect, newScrubber } from '../../server/src/modules/catalog/scrape/collect.ts'
import { runOf } from '../../server/src/modules/catalog/scrape/scrape.ts'
import { type Db, openDb, type Sql } from '../../server/src/platform/db/db.ts'

/**
 * A scrape of so many items with their documents, from the result of a kind to the rows: all new, all unchanged, all
 * changed. Beside each the very statements of that run, replayed by the bare driver on a copy of the database: what
 * PostgreSQL alone costs.
 */
export interface IngestFigure {
  what: string
  ms: number
  sqlMs: number
  limitMs: number | undefined
}

const limits: Record<string, number> = { unchanged: 5000, changed: 20_000 }

export async function benchIngest(url: string, count: number, say: (text: string) => void): Promise<IngestFigure[]> {
  const admin = openDb({ url: withDatabase(url, 'template1'), max: 1 })
  const name = new URL(url).pathname.slice(1)
  const figures: IngestFigure[] = []
  const setUp = openDb({ url, max: 2 })
  const { id } = await setUp.one<{ id: string }>(
    `insert into config_scrapers (name, spec, source) values ('bench/ingest', '{}', 'UI') returning id`,
  )
  await setUp.close()
  try {
    for (const [what, version] of [
      ['new', 1],
      ['unchanged', 1],
      ['changed', 2],
    ] as const) {
      const copy = `${name}_copy`
      await admin.run(`drop database if exists ${copy} with (force)`)
      await admin.run(`create database ${copy} template ${name}`)
      const db = openDb({ url, max: 4 })
      const statements: Statement[] = []
      // A first run warms up code paths, as any process has that scraped before; what it writes is what the run finds.
      const ms = await timed(() => scrapeAll(recording(db, statements), id, count, version))
      await db.close()
      const sqlMs = await replay(withDatabase(url, copy), statements)
      figures.push({ what, ms, sqlMs, limitMs: limits[what] })
      const limit = limits[what] === undefined ? '' : `, at most ${limits[what]! / 1000} s`
      say(
        `${count} items ${what}: ${seconds(ms)} s${limit} (statements alone ${seconds(sqlMs)} s, ${statements.length} of them)`,
      )
      await admin.run(`drop database if exists ${copy} with (force)`)
    }
  } finally {
    await admin.close()
  }
  return figures
}

const seconds = (ms: number): string => (ms / 1000).toFixed(2)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

const spec = CustomScraper.parse({
  config: {},
  type: 'Bench::Pod',
  id: '$.metadata.uid',
  name: '$.metadata.name',
  status: '$.status.phase',
  health: 'healthy',
  tags: [{ name: 'namespace', jsonpath: '$.metadata.namespace' }],
})

/** About 2 kB, as a pod is once its noise is removed. */
const documentOf = (n: number, version: number): unknown => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    uid: `bench-${n}`,
    name: `web-${n}`,
    namespace: `ns-${n % 50}`,
    labels: { app: `app-${n % 300}`, tier: 'front', release: `r${version}` },
  },
  spec: {
    nodeName: `node-${n % 40}`,
    containers: ['main', 'sidecar', 'log'].map((name) => ({
      name,
      image: `registry.example.test/team/${name}:${version}.${n % 7}`,
      args: ['--port', '8080', '--config', `/etc/${name}/config.yaml`],
      env: Array.from({ length: 6 }, (_, i) => ({ name: `SETTING_${i}`, value: `value-${i}-${n % 11}` })),
      resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: `${100 + version}Mi` } },
      ports: [{ containerPort: 8080, protocol: 'TCP' }],
    })),
    tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }],
  },
  status: { phase: 'Running', hostIP: `10.0.${n % 250}.${version}`, conditions: [{ type: 'Ready', status: 'True' }] },
})

async function scrapeAll(db: Db, scraperId: string, count: number, version: number): Promise<void> {
  const log = pino({ level: 'silent' })
  const ctx = { db, log, clock: { now: () => new Date() } } as unknown as Context
  const kind: ScraperKind<CustomScraper> = {
    key: 'bench',
    schema: CustomScraper,
    concurrency: 1,
    async *scrape() {
      for (let n = 0; n < count; n++) yield { item: { config: documentOf(n, version) } }
    },
  }
  const startedAt = new Date()
  const ingest = new Ingest(ctx, { scraperId, startedAt, properties: new Map() })
  const state = { get: async () => undefined, set: () => undefined }
  const signal = new AbortController().signal
  const run = runOf(
    ctx,
    { id: scraperId, name: 'bench' },
    { signal, log, startedAt, full: false, state, secret: () => undefined },
  )
  await collect({ kind: kind as unknown as ScraperKind, spec, place: 'bench[0]' }, run, newScrubber(), ingest)
  await ingest.finish({ complete: true, staleMs: 86_400_000 })
  const { added, updated, unchanged } = ingest.summary.types['Bench::Pod']!
  if (added + updated + unchanged !== count || ingest.problems.length > 0)
    throw new Error(
      `the scrape went wrong: ${JSON.stringify({ added, updated, unchanged, problems: ingest.problems.slice(0, 3) })}`,
    )
}

type Statement = { text: string; values: unknown[] | undefined }

/** A database that remembers what it was asked. */
function recording(db: Db, statements: Statement[]): Db {
  const over = <T extends Sql>(sql: T): T => {
    const note =
      <K extends 'query' | 'one' | 'maybeOne' | 'run'>(method: K) =>
      (text: string, values?: unknown[]) => {
        statements.push({ text, values })
        return (sql[method] as (text: string, values?: unknown[]) => Promise<unknown>)(text, values)
      }
    return { ...sql, query: note('query'), one: note('one'), maybeOne: note('maybeOne'), run: note('run') } as T
  }
  return {
    ...over(db),
    async tx(work) {
      statements.push({ text: 'begin', values: undefined })
      const result = await db.tx((sql, client) => work(over(sql), client))
      statements.push({ text: 'commit', values: undefined })
      return result
    },
  }
}

async function replay(url: string, statements: readonly Statement[]): Promise<number> {
  const db = openDb({ url, max: 1 })
  try {
    return await timed(async () => {
      for (const { text, values } of statements) await db.pool.query(text, values)
    })
  } finally {
    await db.close()
  }
}

export function withDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}
