import { basename } from 'node:path'
import type { Context } from '../../context.ts'
import type { BeforeWrite } from '../../data-api/hooks.ts'
import { conflict } from '../../platform/errors.ts'
import { isUuid } from '../../platform/ids.ts'
import { readPropertiesFile } from '../../platform/properties.ts'
import { fileOf, type Use, usesOf } from './uses.sql.ts'

/** Where a definition comes from, and what would notice if it went. */
export async function aboutResource(
  ctx: Context,
  table: string,
  id: string,
): Promise<{ file: string | null; uses: Use[] }> {
  if (table === 'properties') return { file: propertiesFileOf(ctx, id), uses: [] }
  if (!isUuid(id)) return { file: null, uses: [] }
  const [kept, uses] = [await fileOf(ctx.db, id), await usesOf(ctx.db, table, id)]
  return { file: kept ? kept.source.slice(kept.source.indexOf(':') + 1) : null, uses }
}

/** A line of the properties file wins over a stored property of its name. */
function propertiesFileOf({ config }: Context, name: string): string | null {
  const file = config.QUARTERDECK_PROPERTIES_FILE
  return file && readPropertiesFile(file).has(name) ? basename(file) : null
}

/** Says what uses it instead of deleting something that others cannot do without. */
export const refuseUsed: BeforeWrite = async ({ sql, kind, relation, rows, targets }) => {
  if (kind !== 'delete' && !rows.some((row) => (row.deleted_at ?? null) !== null)) return
  for (const row of await targets<{ id: string; name: string; deleted_at: unknown }>()) {
    if (row.deleted_at) continue
    const needed = (await usesOf(sql, relation, row.id)).filter((use) => use.blocks)
    if (needed.length === 0) continue
    const words = needed.map(({ what, count, names }) => `${count} ${what} (${names.join(', ')})`).join('; ')
    throw conflict(`${row.name} is in use: ${words}`, 'Change or delete those first.')
  }
}
