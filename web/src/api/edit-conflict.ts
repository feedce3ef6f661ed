import { from } from './data-api.ts'

/** What a row needs so that two people cannot overwrite each other unknowingly. */
export interface Versioned {
  id: string
  updated_at: string | null
  deleted_at?: string | null
}

/** Somebody else saved the row between reading and saving it. */
export class EditConflict<Row extends Versioned = Versioned> extends Error {
  override readonly name = 'EditConflict'
  /** As it was read. */
  readonly read: Row
  /** As it is now. */
  readonly current: Row
  /** What was to be saved. */
  readonly values: object

  constructor(read: Row, current: Row, values: object) {
    super('Somebody else changed this in the meantime')
    this.read = read
    this.current = current
    this.values = values
  }
}

/**
 * Saves values over the row as it was read. The version that was read goes with the write as a condition, so a server of
 * the reference API does the same; no row answered means that it changed, or went. To overwrite, save over `current`.
 */
export async function updateOver<Row extends Versioned>(
  relation: string,
  read: Row,
  values: object,
  what = 'item',
  // For rows whose values are partly hidden: an edit may not show, yet it is one.
  { anyChange = false } = {},
): Promise<Row> {
  const one = () => from<Row>(relation).eq('id', read.id)
  const version = ({ updated_at: at }: Row) => (at ? one().eq('updated_at', at) : one().isNull('updated_at'))
  let base = read
  // What an engine notes on a row (a last run, a count) makes it newer, yet it is nobody's edit: once more over that.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const [saved] = await version(base).update(values)
    if (saved) return saved
    const current = await one().first()
    if (!current || current.deleted_at) throw new Error(`This ${what} was deleted in the meantime`)
    if (anyChange || changedFields(read, current, Object.keys(values)).length > 0)
      throw new EditConflict(read, current, values)
    base = current
  }
  throw new Error(`This ${what} keeps changing; try again`)
}

/** What a person does not edit. */
export const bookkeeping = ['id', 'created_at', 'created_by', 'updated_at', 'deleted_at']

/** The fields in which two versions of a row differ. */
export function changedFields(before: object, after: object, fields: readonly string[]): string[] {
  const [a, b] = [before, after] as [Record<string, unknown>, Record<string, unknown>]
  // A field nobody read cannot have been seen to change.
  return fields.filter(
    (field) => !bookkeeping.includes(field) && field in a && canonical(a[field]) !== canonical(b[field]),
  )
}

/** Equal for equal values, whatever the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
