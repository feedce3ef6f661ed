import type { FoundResource, ResourceKind } from '@quarterdeck/contract/selectors'
import type { Sql } from '../../platform/db/db.ts'
import { kindColumns } from '../../platform/selectors/kinds.ts'
import type { Selector } from '../../platform/selectors/selector.ts'
import { selectorWhere } from '../../platform/selectors/selector.sql.ts'

/** A picker shows no more than this; typing narrows it down. */
const most = 1_000

interface Row {
  id: string
  agent_id: string
  name: string | null
  namespace: string | null
  type: string | null
  icon: string | null
  tags: Record<string, unknown> | null
}

export async function resourcesMeantBy(
  sql: Sql,
  kind: ResourceKind,
  selectors: readonly Selector[],
): Promise<FoundResource[]> {
  const { table, namespace, hasTags } = kindColumns[kind]
  const where = selectorWhere(kind, selectors)
  if (where.text === 'false') return []
  const rows = await sql.query<Row>(
    `select id, agent_id, name, ${namespace} as namespace, type, icon, ${hasTags ? 'tags' : 'labels'} as tags
     from ${table} where ${where.text} order by name, id limit ${most}`,
    where.values,
  )
  return rows.map((row) => ({
    id: row.id,
    agent: row.agent_id,
    name: row.name ?? '',
    namespace: row.namespace ?? '',
    type: row.type ?? '',
    ...(row.icon ? { icon: row.icon } : {}),
    ...(row.tags && Object.keys(row.tags).length > 0 ? { tags: textMap(row.tags) } : {}),
  }))
}

const textMap = (map: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(map).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
