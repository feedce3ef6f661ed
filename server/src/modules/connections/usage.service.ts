import type { ConnectionUse } from '@quarterdeck/contract/connections/usage'
import type { Sql } from '../../platform/db/db.ts'
import { conflict } from '../../platform/errors.ts'
import { documentsNaming } from './connections.sql.ts'
import { listed, mentions, type Named } from './references.ts'

/** What names a connection: checks, scrapers, playbooks, notifications, other connections and the rest. */
export async function usesOf(sql: Sql, connection: Named): Promise<ConnectionUse[]> {
  const found = await documentsNaming(sql, connection)
  return found
    .filter(
      ({ id, document, namespace }) => id !== connection.id && mentions(document, connection, namespace ?? 'default'),
    )
    .map(({ kind, table, id, name, namespace }) => ({ kind, table, id, name, namespace }))
}

const words = ({ kind, name, namespace }: ConnectionUse) =>
  `${kind} ${namespace && namespace !== 'default' ? `${namespace}/` : ''}${name}`

/** Refuses what would leave others without a connection they rely on, and says who they are. */
export async function refuseWhileUsed(sql: Sql, connection: Named, what: string): Promise<void> {
  const uses = await usesOf(sql, connection)
  if (uses.length === 0) return
  throw conflict(
    `The connection ${connection.name} cannot be ${what}: it is used by ${listed(uses.map(words))}`,
    uses.map(words).join('\n'),
  )
}
