import type { BeforeWrite, WriteCall } from '../../data-api/hooks.ts'
import { conflict } from '../../platform/errors.ts'
import { kindStores } from './kinds/all.ts'
import type { KindStore } from './kinds/kind-store.ts'
import { readOrigin } from './origin.ts'
import { filesOf, rowByName } from './resources.sql.ts'

/** Refuses to change or delete what a file keeps: the file would bring it back. */
const refuseRowsOfFiles =
  (store: KindStore): BeforeWrite =>
  async (call) => {
    const ids = await touchedBy(store, call)
    const [kept] = ids.length === 0 ? [] : await filesOf(call.sql, ids)
    if (!kept) return
    const { file } = readOrigin(kept.source)
    throw conflict('This comes from a file and can only be changed there', `The file is ${file}.`)
  }

/** Rows that exist already and would be changed. An upsert finds them by id or by whatever makes a name unique. */
async function touchedBy(store: KindStore, { sql, kind, rows, targets }: WriteCall): Promise<string[]> {
  if (kind === 'insert') return []
  if (kind !== 'upsert') return (await targets<{ id: string }>()).map((row) => row.id)
  const ids = rows.flatMap((row) => (typeof row.id === 'string' ? [row.id] : []))
  for (const row of rows) {
    if (!store.nameColumns.every((column) => typeof row[column] === 'string')) continue
    const same = await rowByName(sql, store, row)
    if (same) ids.push(same.id)
  }
  return ids
}

/** Hangs the refusal on every table that documents become rows of. */
export function protectRowsOfFiles(api: { beforeWrite(relation: string, hook: BeforeWrite): void }): void {
  for (const store of kindStores) api.beforeWrite(store.table, refuseRowsOfFiles(store))
}
