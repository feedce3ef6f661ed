import { hashOf } from './canonical.ts'
import type { Columns, KindStore } from './kinds/kind-store.ts'

/** What a row says, without what it hides: a hash must not help anybody to guess a password. */
export function rowHash(store: KindStore, columns: Columns): string {
  const open = Object.keys(store.columns).filter((name) => !store.secrets?.includes(name))
  return hashOf(Object.fromEntries(open.map((name) => [name, columns[name] ?? null])))
}
