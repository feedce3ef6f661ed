import type { Sql } from '../../platform/db/db.ts'
import type { Columns, ColumnType, KindStore } from './kinds/kind-store.ts'

const here = `'00000000-0000-0000-0000-000000000000'`
const localOnly = (store: KindStore) => (store.hasAgents ? `and agent_id = ${here}` : '')

export interface StoredRow extends Columns {
  id: string
  source: string | null
  deleted_at: Date | null
}

/** Canaries inside components carry their component as source and may be called like anything. */
const notInline = (store: KindStore) =>
  store.kind === 'Canary' ? `and coalesce(source, '') not like 'component/%'` : ''

/** Everything that lives here, and the rows with these ids even when deleted; with deleted ones where they keep their names. */
export const rowsFor = (sql: Sql, store: KindStore, ids: readonly string[]): Promise<StoredRow[]> =>
  sql.query<StoredRow>(
    `select * from ${store.table} where id = any($1::uuid[])
       or (${store.nameOutlivesRow ? 'true' : 'deleted_at is null'} ${notInline(store)} ${localOnly(store)})`,
    [ids],
  )

export const rowById = (sql: Sql, store: KindStore, id: string): Promise<StoredRow | undefined> =>
  sql.maybeOne<StoredRow>(`select * from ${store.table} where id = $1 for update`, [id])

/** The row that goes by this name here: a live one, or a deleted one where it still keeps the name. */
export function rowByName(sql: Sql, store: KindStore, columns: Columns): Promise<StoredRow | undefined> {
  if (store.nameColumns.length === 0) return Promise.resolve(undefined)
  const same = store.nameColumns.map((column, at) => `${column} = $${at + 1}`).join(' and ')
  const live = store.nameOutlivesRow ? '' : 'and deleted_at is null'
  return sql.maybeOne<StoredRow>(
    `select * from ${store.table} where ${same} ${live} ${notInline(store)} ${localOnly(store)}
     order by deleted_at desc nulls first limit 1 for update`,
    store.nameColumns.map((column) => columns[column]),
  )
}

/** Values as the driver wants them: JSON as text, with a cast in the statement. */
const parameter = (type: ColumnType, value: unknown) =>
  type === 'jsonb' && value !== null ? JSON.stringify(value) : value

const system = `(select id from people where name = 'System' and email is null order by created_at limit 1)`

export async function insertRow(
  sql: Sql,
  store: KindStore,
  id: string,
  columns: Columns,
  source: string,
): Promise<void> {
  const names = Object.keys(store.columns)
  const values = names.map((name, at) => `$${at + 3}::${store.columns[name]}`)
  await sql.run(
    `insert into ${store.table} (id, source, created_by, ${names.join(', ')})
     values ($1, $2::${store.sourceType}, ${system}, ${values.join(', ')})`,
    [id, source, ...names.map((name) => parameter(store.columns[name]!, columns[name] ?? null))],
  )
}

/** Writes the columns, takes the row over for its source, and brings it back when it was deleted. */
export async function updateRow(
  sql: Sql,
  store: KindStore,
  id: string,
  columns: Columns,
  source: string,
): Promise<void> {
  const names = Object.keys(store.columns)
  const sets = names.map((name, at) => `${name} = $${at + 3}::${store.columns[name]}`)
  await sql.run(
    `update ${store.table} set source = $2::${store.sourceType}, deleted_at = null, ${sets.join(', ')} where id = $1`,
    [id, source, ...names.map((name) => parameter(store.columns[name]!, columns[name] ?? null))],
  )
}

export const softDelete = (sql: Sql, store: KindStore, id: string): Promise<number> =>
  sql.run(`update ${store.table} set deleted_at = now() where id = $1 and deleted_at is null`, [id])

export const liveRows = (sql: Sql, store: KindStore): Promise<StoredRow[]> =>
  sql.query<StoredRow>(
    `select * from ${store.table} where deleted_at is null ${localOnly(store)}
     ${notInline(store)} order by created_at, id`,
  )

/** What a file said last, and the row it became. */
export interface FileRecord {
  kind: string
  namespace: string
  name: string
  source: string
  hash: string
  resource_id: string
}

export const recordOf = (sql: Sql, kind: string, namespace: string, name: string): Promise<FileRecord | undefined> =>
  sql.maybeOne<FileRecord>(
    'select kind, namespace, name, source, hash, resource_id from resource_files where (kind, namespace, name) = ($1, $2, $3)',
    [kind, namespace, name],
  )

export const allRecords = (sql: Sql): Promise<FileRecord[]> =>
  sql.query<FileRecord>(
    'select kind, namespace, name, source, hash, resource_id from resource_files order by kind, namespace, name',
  )

export async function writeRecord(sql: Sql, record: FileRecord): Promise<void> {
  await sql.run(
    `insert into resource_files as kept (kind, namespace, name, source, hash, resource_id) values ($1, $2, $3, $4, $5, $6)
     on conflict (kind, namespace, name) do update
       set source = excluded.source, hash = excluded.hash, resource_id = excluded.resource_id, applied_at = now()
       where (kept.source, kept.hash, kept.resource_id) is distinct from (excluded.source, excluded.hash, excluded.resource_id)`,
    [record.kind, record.namespace, record.name, record.source, record.hash, record.resource_id],
  )
}

export async function deleteRecord(sql: Sql, { kind, namespace, name }: FileRecord): Promise<void> {
  await sql.run('delete from resource_files where (kind, namespace, name) = ($1, $2, $3)', [kind, namespace, name])
}

/** The files that keep any of these rows, first-start documents left out: those rows belong to people. */
export const filesOf = (sql: Sql, ids: readonly string[]): Promise<{ resource_id: string; source: string }[]> =>
  sql.query(
    `select resource_id, source from resource_files
     where resource_id = any($1::uuid[]) and not starts_with(source, 'first-start:')`,
    [ids],
  )
