import type { LiveChange } from '@quarterdeck/contract/live'

/** More ids than this say "any row": the reader looks at the list again anyway. */
const maxIds = 200

/** Changes waiting to be sent, one entry per relation however many there were. */
export interface PendingChanges {
  add(id: number, change: LiveChange): void
  /** Everything since the last take, and the highest number among it. */
  take(): { id: number; changes: LiveChange[] } | undefined
  clear(): void
}

export function pendingChanges(): PendingChanges {
  let newest = 0
  // `undefined` stands for any row.
  const byRelation = new Map<string, Set<string> | undefined>()
  return {
    add(id, { relation, ids }) {
      newest = Math.max(newest, id)
      const known = byRelation.get(relation)
      if (byRelation.has(relation) && known === undefined) return
      if (ids.length === 0) {
        byRelation.set(relation, undefined)
        return
      }
      const all = known ?? new Set<string>()
      for (const each of ids) all.add(each)
      byRelation.set(relation, all.size > maxIds ? undefined : all)
    },
    take() {
      if (byRelation.size === 0) return undefined
      const changes = [...byRelation].map(([relation, ids]) => ({ relation, ids: ids ? [...ids] : [] }))
      byRelation.clear()
      return { id: newest, changes }
    },
    clear: () => byRelation.clear(),
  }
}
