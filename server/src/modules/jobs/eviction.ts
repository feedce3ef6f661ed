import type { Context } from '../../context.ts'
import { deleteSurplus, type Ring } from './job-history.sql.ts'

/** Rings that got a row since the last eviction; looking only at these keeps it cheap however long the history is. */
const touched = new WeakMap<object, Map<string, Ring>>()

export function touchRing(ctx: Pick<Context, 'db'>, ring: Ring): void {
  const rings = touched.get(ctx.db) ?? new Map<string, Ring>()
  touched.set(ctx.db, rings)
  rings.set(JSON.stringify([ring.name, ring.resourceId, ring.status]), ring)
}

/** Deletes surplus history of the jobs that ran in this process; returns how many rows went. */
export async function evictHistory(ctx: Pick<Context, 'db'>): Promise<number> {
  const rings = [...(touched.get(ctx.db)?.values() ?? [])]
  touched.delete(ctx.db)
  let deleted = 0
  for (let start = 0; start < rings.length; start += 500) {
    deleted += await deleteSurplus(ctx.db, rings.slice(start, start + 500))
  }
  return deleted
}
