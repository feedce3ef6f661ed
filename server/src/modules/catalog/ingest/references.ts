import type { Sql } from '../../../platform/db/db.ts'
import type { ItemRef } from '../kinds/kind.ts'
import { knownByExternalId, knownById } from './items.sql.ts'

const batch = 1000

interface Entry {
  id: string
  type: string
}

/** Finds items by what others call them: those of this scrape first, then everything stored on this server. */
export class References {
  private readonly seen = new Map<string, Entry[]>()
  private readonly stored = new Map<string, Entry[]>()
  private readonly types = new Map<string, string>()

  constructor(private readonly sql: Sql) {}

  /** An item of this scrape. */
  add(id: string, type: string, externalIds: readonly string[]): void {
    this.types.set(id, type)
    for (const externalId of externalIds) push(this.seen, externalId, { id, type })
  }

  /** It could not be stored, so nothing may refer to it. */
  forget(id: string): void {
    this.types.delete(id)
  }

  typeOf = (id: string): string | undefined => this.types.get(id)

  /** Reads what is not known yet, all at once. */
  async load(refs: readonly ItemRef[]): Promise<void> {
    const wanted = new Set<string>()
    const ids = new Set<string>()
    for (const ref of refs) {
      if ('id' in ref) {
        if (!this.types.has(ref.id)) ids.add(ref.id)
      } else if (!this.stored.has(ref.externalId) && !this.find(ref)) wanted.add(ref.externalId)
    }
    for (const part of chunks([...ids]))
      for (const row of await knownById(this.sql, part)) this.types.set(row.id, row.type)
    for (const part of chunks([...wanted])) {
      for (const externalId of part) this.stored.set(externalId, [])
      for (const row of await knownByExternalId(this.sql, part)) {
        this.types.set(row.id, row.type)
        for (const externalId of row.external_id) push(this.stored, externalId, { id: row.id, type: row.type })
      }
    }
  }

  /** The row id, once loaded; undefined when there is no such item. */
  find(ref: ItemRef): string | undefined {
    if ('id' in ref) return this.types.has(ref.id) ? ref.id : undefined
    const fits = ({ id, type }: Entry) => (!ref.type || type === ref.type) && this.types.has(id)
    return (this.seen.get(ref.externalId)?.find(fits) ?? this.stored.get(ref.externalId)?.find(fits))?.id
  }
}

function push(map: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = map.get(key)
  if (!list) map.set(key, [entry])
  else if (!list.some(({ id }) => id === entry.id)) list.push(entry)
}

export function chunks<T>(list: readonly T[], size = batch): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size))
  return parts
}
