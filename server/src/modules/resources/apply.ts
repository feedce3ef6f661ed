import type { ResourceDocument } from '@quarterdeck/contract/documents'
import type { Context } from '../../context.ts'
import type { Sql } from '../../platform/db/db.ts'
import { isLost, untilWon } from '../../platform/db/lost.ts'
import { lockClass, locks } from '../../platform/db/locks.ts'
import { canonical } from './canonical.ts'
import { kindStores, storeOf } from './kinds/all.ts'
import { type Columns, DocumentProblem, fromCluster, type KindStore } from './kinds/kind-store.ts'
import { originOf, type OriginType, readOrigin } from './origin.ts'
import { pathText, type Problem } from './problem.ts'
import {
  deleteRecord,
  type FileRecord,
  insertRow,
  softDelete,
  type StoredRow,
  updateRow,
  writeRecord,
} from './resources.sql.ts'
import { rowHash } from './row-hash.ts'
import { closeColumns, openColumns, unseal } from './secrets.ts'
import { deterministicId, keyOf, keyText, readSnapshot, type Snapshot } from './snapshot.ts'
import { type Identity, identityOf, type SourcedDocument } from './validate.ts'

export type Action = 'created' | 'changed' | 'unchanged' | 'removed' | 'left' | 'failed'

export interface Outcome {
  action: Action
  kind: string
  namespace: string
  name: string
  file: string
  document?: number
  id?: string
  /** What differs, by column. */
  changes?: string[]
  problem?: Problem
}

export interface Batch {
  origin: Exclude<OriginType, 'first-start'>
  documents: readonly SourcedDocument[]
  /** Documents that are there but wrong: their rows stay as they are. */
  broken: readonly Identity[]
  /** Files in which something could not even be named: nothing of them counts as removed. */
  brokenFiles: ReadonlySet<string>
  /** Whether a file is part of what was asked for, so that what it no longer says may go. */
  covers(file: string): boolean
}

export interface ApplyOptions {
  dryRun?: boolean
  /** Take over rows that people made in the console under the same name. */
  adopt?: boolean
  /** Soft-delete what the files no longer say; otherwise it is only reported as left. */
  prune?: boolean
}

class DryRun extends Error {}

interface Work {
  ctx: Context
  sql: Sql
  batch: Batch
  options: ApplyOptions
  snapshot: Snapshot
  seen: Map<string, SourcedDocument>
}

/**
 * Makes the rows match the documents, in one transaction: a document that cannot be applied is undone alone and
 * reported. A dry run does everything and takes it back.
 */
export function applyDocuments(ctx: Context, batch: Batch, options: ApplyOptions = {}): Promise<Outcome[]> {
  return untilWon(() => applyAtOnce(ctx, batch, options))
}

async function applyAtOnce(ctx: Context, batch: Batch, options: ApplyOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  try {
    await ctx.db.tx(async (sql) => {
      await sql.query('select pg_advisory_xact_lock($1, $2)', [lockClass, locks.resources])
      const work: Work = {
        ctx,
        sql,
        batch,
        options,
        snapshot: await readSnapshot(sql, batch.documents),
        seen: new Map(),
      }
      for (const store of kindStores) {
        for (const sourced of batch.documents) {
          if (sourced.document.kind === store.kind) outcomes.push(await applySafely(work, store, sourced))
        }
      }
      outcomes.push(...(await removeVanished(work)))
      if (options.dryRun) throw new DryRun()
    })
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
  }
  return outcomes
}

async function applySafely(work: Work, store: KindStore, sourced: SourcedDocument): Promise<Outcome> {
  const { sql, seen, ctx } = work
  const { document, source } = sourced
  const identity = keyOf(identityOf(document))
  const outcome = { ...identity, file: source.file, document: source.index }
  let writing = false
  const begin = async () => {
    writing = true
    await sql.query('savepoint document')
  }
  try {
    const twin = seen.get(keyText(identity))
    if (twin) {
      const { file, index } = twin.source
      throw new DocumentProblem(`${store.kind} ${identity.name} is already defined in ${file}, document ${index}`)
    }
    seen.set(keyText(identity), sourced)
    const result = await applyOne(work, store, sourced, begin)
    if (writing) await sql.query('release savepoint document')
    return { ...outcome, ...result }
  } catch (error) {
    if (isLost(error)) throw error
    if (writing) await sql.query('rollback to savepoint document')
    if (!(error instanceof DocumentProblem))
      ctx.log.warn({ err: error, file: source.file }, 'a document could not be applied')
    return { ...outcome, action: 'failed', problem: problemOf(error, sourced) }
  }
}

function problemOf(error: unknown, { source }: SourcedDocument): Problem {
  const path = error instanceof DocumentProblem ? error.path : []
  const message = error instanceof Error ? error.message : String(error)
  const place = { file: source.file, document: source.index, line: source.lineOf(path) }
  return { ...place, ...(path.length > 0 && { path: pathText(path) }), message }
}

async function applyOne(
  { ctx, sql, batch, options, snapshot }: Work,
  store: KindStore,
  { document: given, source: { file } }: SourcedDocument,
  begin: () => Promise<void>,
): Promise<Pick<Outcome, 'action' | 'id' | 'changes'>> {
  const { secrets } = ctx
  const document: ResourceDocument = { ...given, spec: unseal(secrets, given.spec) as Record<string, unknown> }
  const identity = keyOf(identityOf(document))
  const columns = await store.toColumns(document, { sql, ctx })
  const source = batch.origin === 'cluster' ? fromCluster : store.source(document)
  const record = snapshot.record(identity)
  refuseOtherOwner(record, batch.origin, file)

  const { row, outdated } = existingRow(snapshot, store, document, columns, record)
  const id = row?.id ?? document.metadata.uid ?? deterministicId(identity)
  const said: FileRecord = {
    ...identity,
    source: originOf(batch.origin, file),
    hash: rowHash(store, columns),
    resource_id: id,
  }
  const changes = row ? differences(store, openColumns(secrets, store, row), columns) : []
  if (row && !ownedByFile(record, row)) refuseForeignRow(store, row, record, changes, options)
  if (row && row.source !== source) changes.push('source')
  if (row?.deleted_at) changes.push('deleted_at')

  if (row && changes.length === 0 && record && canonical(record) === canonical(said))
    return { action: 'unchanged', id, changes }
  await begin()
  if (outdated) await softDelete(sql, store, outdated.id)
  if (!row) await insertRow(sql, store, id, closeColumns(secrets, store, columns), source)
  else if (changes.length > 0) await updateRow(sql, store, id, closeColumns(secrets, store, columns), source)
  await writeRecord(sql, said)
  return { action: !row || row.deleted_at ? 'created' : changes.length > 0 ? 'changed' : 'unchanged', id, changes }
}

/** The row this document is about: the one with its uid, the one it became last time, or one of the same name. */
function existingRow(
  snapshot: Snapshot,
  store: KindStore,
  document: ResourceDocument,
  columns: Columns,
  record: FileRecord | undefined,
): { row?: StoredRow; outdated?: StoredRow } {
  const { uid } = document.metadata
  const wanted = uid ?? record?.resource_id ?? deterministicId(identityOf(document))
  const known = snapshot.byId(store, wanted)
  const named = snapshot.byName(store, columns)
  if (!named || named.id === wanted) return { row: known ?? named }
  if (uid && record?.resource_id === named.id) {
    if (store.nameOutlivesRow)
      throw new DocumentProblem(`the uid of a ${store.kind} cannot change`, ['metadata', 'uid'])
    // The document got another uid: the row under the old one makes room.
    return { row: known, outdated: named }
  }
  return { row: named.deleted_at ? (known ?? named) : named }
}

const ownedByFile = (record: FileRecord | undefined, row: StoredRow): boolean =>
  row.deleted_at !== null || (record?.resource_id === row.id && readOrigin(record.source).type !== 'first-start')

/** A file of the watched folder goes before all others, any file before a cluster. */
function refuseOtherOwner(record: FileRecord | undefined, origin: OriginType, file: string): void {
  if (!record || origin === 'folder') return
  const owner = readOrigin(record.source)
  if (owner.type === 'folder')
    throw new DocumentProblem(`the watched folder keeps this one (${owner.file}); change it there`)
  if (owner.type === 'cluster' && owner.file !== file)
    throw new DocumentProblem(
      `${origin === 'cluster' ? 'another cluster' : 'a cluster'} keeps this one; change it there`,
    )
  if (owner.type === 'apply' && origin === 'cluster')
    throw new DocumentProblem(`a file keeps this one (${owner.file}); change it there`)
}

/** Rows of people are not overwritten, unless asked for, or it is one that came with the product and was left as it was. */
function refuseForeignRow(
  store: KindStore,
  row: StoredRow,
  record: FileRecord | undefined,
  changes: readonly string[],
  options: ApplyOptions,
): void {
  if (options.adopt || changes.length === 0) return
  if (record?.resource_id === row.id && record.hash === rowHash(store, row)) return
  throw new DocumentProblem(
    'somebody made one of this name in the console; delete it there, choose another name, or take it over (quarterdeck apply --adopt)',
    ['metadata', 'name'],
  )
}

const differences = (store: KindStore, row: Columns, columns: Columns): string[] =>
  Object.keys(store.columns).filter((name) => canonical(row[name] ?? null) !== canonical(columns[name] ?? null))

async function removeVanished({ sql, batch, seen, options, snapshot }: Work): Promise<Outcome[]> {
  const broken = new Set(batch.broken.map(keyText))
  const outcomes: Outcome[] = []
  for (const record of snapshot.records) {
    const { type, file } = readOrigin(record.source)
    const key = keyText(record as Identity)
    if (type !== batch.origin || !batch.covers(file)) continue
    if (batch.brokenFiles.has(file) || seen.has(key) || broken.has(key)) continue
    const { kind, namespace, name, resource_id: id } = record
    outcomes.push({ kind, namespace, name, file, id, action: options.prune ? 'removed' : 'left' })
    if (!options.prune) continue
    await softDelete(sql, storeOf(record.kind as Identity['kind']), id)
    await deleteRecord(sql, record)
  }
  return outcomes
}
