import type { Sql } from '../db/db.ts'
import type { EncryptedColumn } from './encrypted-columns.ts'

const pattern = `qd1\\.([0-9a-f]{8})\\.`

/** The ids of all keys that values of this column were encrypted with. */
export async function keysInUse(sql: Sql, { table, column }: EncryptedColumn): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select distinct found[1] as id from ${table}, regexp_matches(${column}::text, '${pattern}', 'g') as found
     where ${column} is not null`,
  )
  return rows.map((row) => row.id)
}

export interface StoredValue {
  id: string
  value: string
}

/** Some rows that hold a value under another key than this one; locked, so that nobody changes them meanwhile. */
export const valuesUnderOtherKeys = (sql: Sql, { table, column }: EncryptedColumn, keyId: string, limit: number) =>
  sql.query<StoredValue>(
    `select id, ${column}::text as value from ${table}
     where ${column}::text ~ 'qd1\\.(?!${keyId}\\.)[0-9a-f]{8}\\.' order by id limit $1 for update`,
    [limit],
  )

export const storeValue = (sql: Sql, { table, column, type }: EncryptedColumn, { id, value }: StoredValue) =>
  sql.run(`update ${table} set ${column} = $2::${type} where id = $1`, [id, value])
