import { documentKinds } from '@quarterdeck/contract/documents'
import type { Context } from '../../context.ts'
import type { Sql } from '../../platform/db/db.ts'
import { documentsEvent } from '../catalog/scrape/documents-event.ts'
import { defineConsumer } from '../events/event.ts'
import { balanced, defineJob, type Job, type JobRun } from '../jobs/job.ts'
import { runJob } from '../jobs/run-job.ts'
import { applyDocuments } from './apply.ts'
import { addFile, type LoadedFiles } from './files.ts'
import { storeOf } from './kinds/all.ts'
import { readOrigin } from './origin.ts'
import type { SourceDocument } from './parse.ts'
import type { Problem } from './problem.ts'
import { allRecords, deleteRecord, type FileRecord } from './resources.sql.ts'
import type { Identity } from './validate.ts'

interface Scraper {
  id: string
  name: string
  is_wanted: boolean
  is_deleted: boolean
}

/** Scrapers whose clusters have a say about rows, and those that had one. */
const scrapersOf = (sql: Sql, ids: readonly string[]): Promise<Scraper[]> =>
  sql.query<Scraper>(
    `select id, name, deleted_at is not null as is_deleted,
            deleted_at is null and coalesce(spec -> 'crdSync' = 'true', false) as is_wanted
       from config_scrapers where id = any($1::uuid[]) or (deleted_at is null and spec -> 'crdSync' = 'true') order by id`,
    [ids],
  )

const objectsOf = (sql: Sql, scraperId: string): Promise<{ config: Record<string, unknown> }[]> =>
  sql.query(
    `select config from config_items
      where scraper_id = $1 and deleted_at is null and type = any($2::text[]) and config is not null
      order by type, name, id`,
    [scraperId, documentKinds.map((kind) => `MissionControl::${kind}`)],
  )

const recordsOf = async (sql: Sql, scraperId?: string): Promise<FileRecord[]> =>
  (await allRecords(sql)).filter(({ source }) => {
    const { type, file } = readOrigin(source)
    return type === 'cluster' && (scraperId === undefined || file === scraperId)
  })

/**
 * Documents of this product that a scraper with `crdSync` found in its cluster become rows, and go when they go there.
 * A scraper that no longer says so leaves its rows to the people; one that is deleted takes them along.
 */
export const clusterDocumentsJob: Job = defineJob({
  name: 'CRDSync',
  schedule: '@every 10m',
  singleton: true,
  retention: balanced,
  resourceType: 'config_scraper',
  async run(ctx, run) {
    const kept = (await recordsOf(ctx.db)).map(({ source }) => readOrigin(source).file)
    for (const scraper of await scrapersOf(ctx.db, [...new Set(kept)])) {
      if (run.resource && run.resource.id !== scraper.id) continue
      if (scraper.is_wanted || scraper.is_deleted) await applyObjects(ctx, scraper, run)
      else await letGo(ctx, scraper.id, run)
    }
  },
})

/** At once after a scrape; the schedule is for what no scrape tells of. */
export const clusterDocumentsConsumer = defineConsumer({
  mode: 'async',
  names: [documentsEvent],
  async handle(ctx, { properties: { id } }) {
    if (!id) return
    const { status } = await runJob(ctx, clusterDocumentsJob, { resource: { id, type: 'config_scraper' } })
    if (status === 'SKIPPED') throw new Error('the documents of this scraper are being applied; trying again')
  },
})

async function applyObjects(ctx: Context, { id, is_wanted }: Scraper, run: JobRun): Promise<void> {
  const loaded: LoadedFiles = { documents: [], problems: [], broken: [], brokenFiles: new Set() }
  const objects = is_wanted ? await objectsOf(ctx.db, id) : []
  const names = new Map<number, string>()
  const documents = objects.map(({ config }, at): SourceDocument => {
    names.set(at + 1, nameOf(config))
    return { file: id, index: at + 1, line: 0, value: withoutState(config), lineOf: () => 0 }
  })
  addFile(loaded, id, { documents, problems: [] })
  const tell = ({ document, path, message }: Problem) =>
    run.error([names.get(document ?? 0), path, message].filter(Boolean).join(': '))
  loaded.problems.forEach(tell)
  const outcomes = await applyDocuments(
    ctx,
    { origin: 'cluster', ...loaded, covers: (file) => file === id },
    { prune: true },
  )
  const counts: Record<string, number> = {}
  for (const { action, problem } of outcomes) {
    counts[action] = (counts[action] ?? 0) + 1
    if (problem) tell(problem)
    else run.success()
  }
  if (outcomes.length > 0) run.details.summary = { resources: counts }
}

const nameOf = ({ kind, metadata }: Record<string, unknown>): string => {
  const { namespace, name } = (metadata ?? {}) as { namespace?: string; name?: string }
  return [String(kind), [namespace, name].filter(Boolean).join('/')].join(' ')
}

/** What the cluster adds to a document is not part of it. */
function withoutState({ apiVersion, kind, metadata, spec }: Record<string, unknown>): Record<string, unknown> {
  const { name, namespace, uid, labels, annotations } = (metadata ?? {}) as Record<string, unknown>
  return { apiVersion, kind, metadata: { name, namespace, uid, labels, annotations }, spec }
}

async function letGo(ctx: Context, scraperId: string, run: JobRun): Promise<void> {
  await ctx.db.tx(async (sql) => {
    for (const record of await recordsOf(sql, scraperId)) {
      const { table, sourceType } = storeOf(record.kind as Identity['kind'])
      await sql.run(`update ${table} set source = 'UI'::${sourceType} where id = $1`, [record.resource_id])
      await deleteRecord(sql, record)
      run.success()
    }
  })
}
