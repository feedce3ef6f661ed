import type { BeforeWrite } from '../../data-api/hooks.ts'
import { conflict } from '../../platform/errors.ts'
import { kindStores } from './kinds/all.ts'
import { readOrigin } from './origin.ts'
import { filesOf } from './resources.sql.ts'

/** Refuses to change or delete what a file keeps: the file would bring it back. */
const refuseRowsOfFiles: BeforeWrite = async ({ sql, kind, targets }) => {
  if (kind === 'insert') return
  const rows = await targets<{ id: string }>()
  const [kept] =
    rows.length === 0
      ? []
      : await filesOf(
          sql,
          rows.map((row) => row.id),
        )
  if (!kept) return
  const { type, file } = readOrigin(kept.source)
  if (type === 'cluster')
    throw conflict('This is an object of a cluster and can only be changed there', `The scraper is ${file}.`)
  throw conflict('This comes from a file and can only be changed there', `The file is ${file}.`)
}

/** Hangs the refusal on every table that documents become rows of. */
export function protectRowsOfFiles(api: { beforeWrite(relation: string, hook: BeforeWrite): void }): void {
  for (const { table } of kindStores) api.beforeWrite(table, refuseRowsOfFiles)
}
