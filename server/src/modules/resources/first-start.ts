import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { ResourceDocument } from '@quarterdeck/contract/documents'
import type { Context } from '../../context.ts'
import type { Sql } from '../../platform/db/db.ts'
import { lockClass, locks } from '../../platform/db/locks.ts'
import { projectFolder } from '../../platform/paths.ts'
import { findFiles, loadFiles } from './files.ts'
import { kindStores } from './kinds/all.ts'
import type { KindStore } from './kinds/kind-store.ts'
import { originOf, readOrigin } from './origin.ts'
import { describeProblem } from './problem.ts'
import { insertRow, recordOf, rowById, rowByName, updateRow, writeRecord } from './resources.sql.ts'
import { rowHash } from './row-hash.ts'
import { deterministicId, keyOf } from './snapshot.ts'
import { identityOf } from './validate.ts'

/** The documents that come with the product. */
export const firstStartFolder = join(projectFolder, 'resources/first-start')

/** Whether a file is one of these; they hold places that only the first start fills in. */
export const isOfProduct = (file: string): boolean => !relative(firstStartFolder, file).startsWith('..')

/**
 * Applies the product's own documents once. They become ordinary rows that people edit and delete: one that was deleted
 * does not come back, one that was edited is left alone, and one that nobody touched follows the product.
 */
export async function applyFirstStart(ctx: Context, folder = firstStartFolder): Promise<void> {
  if (!existsSync(folder)) return
  const { documents, problems } = await loadFiles((await findFiles(folder)).map((file) => file.path))
  for (const problem of problems) ctx.log.error(describeProblem(problem))
  await ctx.db.tx(async (sql) => {
    await sql.query('select pg_advisory_xact_lock($1, $2)', [lockClass, locks.resources])
    for (const store of kindStores) {
      for (const { document, source } of documents) {
        if (document.kind !== store.kind) continue
        await applyOnce(ctx, sql, store, fillIn(ctx, document), source.file.slice(folder.length + 1))
      }
    }
  })
}

async function applyOnce(
  ctx: Context,
  sql: Sql,
  store: KindStore,
  document: ResourceDocument,
  file: string,
): Promise<void> {
  const identity = keyOf(identityOf(document))
  const columns = await store.toColumns(document, { sql, ctx })
  const hash = rowHash(store, columns)
  const record = await recordOf(sql, identity.kind, identity.namespace, identity.name)
  const remember = (id: string, said: string) =>
    writeRecord(sql, { ...identity, source: originOf('first-start', file), hash: said, resource_id: id })

  if (!record) {
    const id = document.metadata.uid ?? deterministicId(identity)
    const taken = (await rowByName(sql, store, columns)) ?? (await rowById(sql, store, id))
    // A row of that name is somebody's own: remembered, so that it is never asked again, and never touched.
    if (taken) return remember(taken.id, '')
    await insertRow(sql, store, id, columns, 'UI')
    return remember(id, hash)
  }
  if (readOrigin(record.source).type !== 'first-start' || record.hash === hash) return
  const row = await rowById(sql, store, record.resource_id)
  if (!row || row.deleted_at || rowHash(store, row) !== record.hash) return
  await updateRow(sql, store, row.id, columns, row.source ?? 'UI')
  await remember(row.id, hash)
}

/** `${SELF_URL}` in a document of the product is where this server answers itself. */
function fillIn(ctx: Context, document: ResourceDocument): ResourceDocument {
  const { HOST, PORT } = ctx.config
  const host = ['0.0.0.0', '::', ''].includes(HOST) ? '127.0.0.1' : HOST
  const self = `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
  return JSON.parse(
    JSON.stringify(document).replaceAll('${SELF_URL}', JSON.stringify(self).slice(1, -1)),
  ) as ResourceDocument
}
