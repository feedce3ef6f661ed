import type { Sql } from '../../platform/db/db.ts'
import { canonical, idOf } from './canonical.ts'
import { storeOf } from './kinds/all.ts'
import type { Columns, KindStore } from './kinds/kind-store.ts'
import { allRecords, type FileRecord, rowsFor, type StoredRow } from './resources.sql.ts'
import { type Identity, identityOf, type SourcedDocument } from './validate.ts'

/** What a document is called where namespaces count, and where they do not. */
export function keyOf({ kind, namespace, name }: Identity): Identity {
  const { defaultNamespace } = storeOf(kind)
  return { kind, name, namespace: defaultNamespace === undefined ? '' : namespace || defaultNamespace }
}
export const keyText = (identity: Identity): string => canonical(keyOf(identity))

export const deterministicId = (identity: Identity): string => {
  const { kind, namespace, name } = keyOf(identity)
  return idOf(kind, namespace, name)
}

/** What is there before documents are applied, read at once: a thousand documents that say nothing new cost no query each. */
export interface Snapshot {
  records: FileRecord[]
  record(identity: Identity): FileRecord | undefined
  byId(store: KindStore, id: string): StoredRow | undefined
  /** The row that goes by this name here: a live one, or a deleted one where it still keeps the name. */
  byName(store: KindStore, columns: Columns): StoredRow | undefined
}

export async function readSnapshot(sql: Sql, documents: readonly SourcedDocument[]): Promise<Snapshot> {
  const records = await allRecords(sql)
  const recordOf = new Map(records.map((record) => [keyText(record as Identity), record]))
  const rows = new Map<KindStore, { byId: Map<string, StoredRow>; byName: Map<string, StoredRow> }>()
  for (const store of new Set(documents.map(({ document }) => storeOf(document.kind)))) {
    const ids = documents.flatMap(({ document }) => {
      if (document.kind !== store.kind) return []
      const identity = identityOf(document)
      const record = recordOf.get(keyText(identity))
      return [document.metadata.uid, record?.resource_id, deterministicId(identity)].filter((id) => id !== undefined)
    })
    const found = await rowsFor(sql, store, ids)
    const byName = new Map<string, StoredRow>()
    // Deleted rows first, so that a live one of the same name takes the place.
    for (const row of found.toSorted((a, b) => Number(a.deleted_at === null) - Number(b.deleted_at === null))) {
      if (row.deleted_at === null || store.nameOutlivesRow) byName.set(nameText(store, row), row)
    }
    rows.set(store, { byId: new Map(found.map((row) => [row.id, row])), byName })
  }
  return {
    records,
    record: (identity) => recordOf.get(keyText(identity)),
    byId: (store, id) => rows.get(store)?.byId.get(id),
    byName: (store, columns) =>
      store.nameColumns.length === 0 ? undefined : rows.get(store)?.byName.get(nameText(store, columns)),
  }
}

const nameText = (store: KindStore, columns: Columns) => canonical(store.nameColumns.map((column) => columns[column]))
