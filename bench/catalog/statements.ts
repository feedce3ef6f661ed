import { loadSchema } from '../../server/src/data-api/schema-cache.ts'
import type { Db } from '../../server/src/platform/db/db.ts'
import { statementOf } from '../api/statement.ts'

/** Gives the SQL that the data API makes of a path below /api/db. */
export async function queriesOf(db: Db): Promise<(path: string) => { text: string; values: unknown[] }> {
  const schema = await loadSchema(db)
  return (path) => statementOf(schema, { title: '', path })
}
