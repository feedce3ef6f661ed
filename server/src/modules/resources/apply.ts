import type { ResourceDocument } from '@quarterdeck/contract/documents'
import type { Context } from '../../context.ts'
import type { Sql } from '../../platform/db/db.ts'
import { lockClass, locks } from '../../platform/db/locks.ts'
import { canonical, hashOf, idOf } from './canonical.ts'
import { kindStores, storeOf } from './kinds/all.ts'
import { type Columns, DocumentProblem, type KindStore } from './kinds/kind-store.ts'
import { originOf, type OriginType, readOrigin } from './origin.ts'
import { pathText, type Problem } from './problem.ts'
import {
  deleteRecord,
  type FileRecord,
  insertRow,
  recordOf,
  recordsFrom,
  rowById,
  rowByName,
  softDelete,
  type StoredRow,
  updateRow,
  writeRecord,
} from './resources.sql.ts'
import { closeColumns, openColumns, unseal } from './secrets.ts'
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

/**
 * Makes the rows match the documents, in one transaction: a document that cannot be applied is undone alone and
 * reported. A dry run does everything and takes it back.
 */
export async function applyDocuments(ctx: Context, batch: Batch, options: ApplyOptions = {}): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  try {
    await ctx.db.tx(async (sql) => {
      await sql.query('select pg_advisory_xact_lock($1, $2)', [lockClass, locks.resources])
      const seen = new Map<string, SourcedDocument>()
      for (const store of kindStores) {
        for (const sourced of batch.documents.filter((each) => each.document.kind === store.kind)) {
          outcomes.push(await applySafely(ctx, sql, batch, store, sourced, seen, options))
        }
      }
      outcomes.push(...(await removeVanished(sql, batch, seen, options)))
      if (options.dryRun) throw new DryRun()
    })
  } catch (error) {
    if (!(error instanceof DryRun)) throw error
  }
  return outcomes
}

/** What a document is called where namespaces count, and where they do not. */
export function keyOf({ kind, namespace, name }: Identity): Identity {
  const { defaultNamespace } = storeOf(kind)
  return { kind, name, namespace: defaultNamespace === undefined ? '' : namespace || defaultNamespace }
}
const textOf = (identity: Identity) => canonical(keyOf(identity))

async function applySafely(
  ctx: Context,
  sql: Sql,
  batch: Batch,
  store: KindStore,
  sourced: SourcedDocument,
  seen: Map<string, SourcedDocument>,
  options: ApplyOptions,
): Promise<Outcome> {
  const { document, source } = sourced
  const identity = keyOf(identityOf(document))
  const outcome = { ...identity, file: source.file, document: source.index }
  await sql.query('savepoint document')
  try {
    const twin = seen.get(textOf(identity))
    if (twin)
      throw new DocumentProblem(
        `${store.kind} ${document.metadata.name} is already defined in ${twin.source.file}, document ${twin.source.index}`,
      )
    seen.set(textOf(identity), sourced)
    const result = await applyOne(ctx, sql, batch.origin, store, sourced, options)
    await sql.query('release savepoint document')
    return { ...outcome, ...result }
  } catch (error) {
    await sql.query('rollback to savepoint document')
    const path = error instanceof DocumentProblem ? error.path : []
    const message = error instanceof Error ? error.message : String(error)
    if (!(error instanceof DocumentProblem))
      ctx.log.warn({ err: error, file: source.file }, 'a document could not be applied')
    const problem: Problem = {
      file: source.file,
      document: source.index,
      line: source.lineOf(path),
      message,
      ...(path.length > 0 && { path: pathText(path) }),
    }
    return { ...outcome, action: 'failed', problem }
  }
}

async function applyOne(
  ctx: Context,
  sql: Sql,
  origin: Batch['origin'],
  store: KindStore,
  { document: given, source: { file } }: SourcedDocument,
  options: ApplyOptions,
): Promise<Pick<Outcome, 'action' | 'id' | 'changes'>> {
  const { secrets } = ctx
  const document: ResourceDocument = { ...given, spec: unseal(secrets, given.spec) as Record<string, unknown> }
  const identity = keyOf(identityOf(document))
  const columns = await store.toColumns(document, { sql, ctx })
  const source = store.source(document)
  const record = await recordOf(sql, identity.kind, identity.namespace, identity.name)
  refuseOtherOwner(record, origin)

  const row = await existingRow(sql, store, document, columns, record)
  const write = (id: string) =>
    writeRecord(sql, { ...identity, source: originOf(origin, file), hash: rowHash(store, columns), resource_id: id })
  if (!row) {
    const id = document.metadata.uid ?? idOf(identity.kind, identity.namespace, identity.name)
    await insertRow(sql, store, id, closeColumns(secrets, store, columns), source)
    await write(id)
    return { action: 'created', id }
  }

  const changes = differences(store, openColumns(secrets, store, row), columns)
  if (!ownedByFile(record, row)) refuseForeignRow(store, row, record, changes, options)
  if (row.source !== source) changes.push('source')
  if (row.deleted_at) changes.push('deleted_at')
  if (changes.length > 0) await updateRow(sql, store, row.id, closeColumns(secrets, store, columns), source)
  await write(row.id)
  return { action: row.deleted_at ? 'created' : changes.length > 0 ? 'changed' : 'unchanged', id: row.id, changes }
}

/** The row this document is about: the one with its uid, the one it became last time, or one of the same name. */
async function existingRow(
  sql: Sql,
  store: KindStore,
  { metadata }: ResourceDocument,
  columns: Columns,
  record: FileRecord | undefined,
): Promise<StoredRow | undefined> {
  const named = await rowByName(sql, store, columns)
  const wanted =
    metadata.uid ?? record?.resource_id ?? idOf(store.kind, keyNamespace(store, metadata.namespace), metadata.name)
  const known = await rowById(sql, store, wanted)
  if (named && named.id !== wanted && metadata.uid && record && named.id === record.resource_id) {
    // The document got another uid: the row under the old one makes room.
    await softDelete(sql, store, named.id)
    if (store.nameOutlivesRow)
      throw new DocumentProblem(`metadata.uid cannot change: ${named.id} has this name already`, ['metadata', 'uid'])
    return known
  }
  if (named && !named.deleted_at && named.id !== wanted) return named
  return known ?? named
}

const keyNamespace = (store: KindStore, namespace: string | undefined) =>
  store.defaultNamespace === undefined ? '' : namespace || store.defaultNamespace

const ownedByFile = (record: FileRecord | undefined, row: StoredRow): boolean =>
  row.deleted_at !== null || (record?.resource_id === row.id && readOrigin(record.source).type !== 'first-start')

function refuseOtherOwner(record: FileRecord | undefined, origin: OriginType): void {
  if (!record || origin !== 'apply') return
  const owner = readOrigin(record.source)
  if (owner.type === 'folder') {
    throw new DocumentProblem(`the watched folder keeps this one (${owner.file}); change it there`)
  }
}

/** Rows of people are not overwritten, unless they asked for it, or it is one that came with the product and was left as it was. */
function refuseForeignRow(
  store: KindStore,
  row: StoredRow,
  record: FileRecord | undefined,
  changes: string[],
  options: ApplyOptions,
): void {
  if (options.adopt || changes.length === 0) return
  if (record?.resource_id === row.id && record.hash === rowHash(store, row)) return
  throw new DocumentProblem(
    `somebody made one of this name in the console; delete it there, choose another name, or take it over (quarterdeck apply --adopt)`,
    ['metadata', 'name'],
  )
}

const decided = (store: KindStore, columns: Columns): Columns =>
  Object.fromEntries(Object.keys(store.columns).map((name) => [name, columns[name] ?? null]))

function differences(store: KindStore, row: Columns, columns: Columns): string[] {
  return Object.keys(store.columns).filter((name) => canonical(row[name] ?? null) !== canonical(columns[name] ?? null))
}

/** What a row says, without what it hides: a hash must not help anybody to guess a password. */
export function rowHash(store: KindStore, columns: Columns): string {
  const open = decided(store, columns)
  for (const secret of store.secrets ?? []) delete open[secret]
  return hashOf(open)
}

async function removeVanished(
  sql: Sql,
  batch: Batch,
  seen: ReadonlyMap<string, SourcedDocument>,
  options: ApplyOptions,
): Promise<Outcome[]> {
  const broken = new Set(batch.broken.map(textOf))
  const outcomes: Outcome[] = []
  for (const record of await recordsFrom(sql, originOf(batch.origin, ''))) {
    const { file } = readOrigin(record.source)
    const key = textOf(record as Identity)
    if (!batch.covers(file) || batch.brokenFiles.has(file) || seen.has(key) || broken.has(key)) continue
    const about = { kind: record.kind, namespace: record.namespace, name: record.name, file, id: record.resource_id }
    if (!options.prune) {
      outcomes.push({ ...about, action: 'left' })
      continue
    }
    await softDelete(sql, storeOf(record.kind as Identity['kind']), record.resource_id)
    await deleteRecord(sql, record)
    outcomes.push({ ...about, action: 'removed' })
  }
  return outcomes
}
