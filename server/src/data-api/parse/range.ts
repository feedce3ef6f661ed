import { rangeNotSatisfiable } from '../errors.ts'

export interface RowRange {
  offset: number
  /** Undefined: up to the row cap. */
  limit: number | undefined
}

/** What both limit/offset and the Range header (items, from-to or from-) allow. Other units are not ours to read. */
export function rowRange(
  limit: number | undefined,
  offset: number | undefined,
  header: string | undefined,
  unit: string | undefined,
): RowRange {
  const asked = { offset: offset ?? 0, limit }
  const match =
    header === undefined || (unit ?? 'items').trim() !== 'items'
      ? null
      : /^(?:items=)?\s*(\d{1,15})-(\d{1,15})?$/.exec(header.trim())
  if (!match) return asked
  const from = Number(match[1])
  const to = match[2] === undefined ? Infinity : Number(match[2])
  if (to < from) {
    throw rangeNotSatisfiable(
      'The lower boundary must be lower than or equal to the upper boundary in the Range header.',
    )
  }
  const start = Math.max(asked.offset, from)
  const end = Math.min(limit === undefined ? Infinity : asked.offset + limit - 1, to)
  return { offset: start, limit: end === Infinity ? undefined : Math.max(0, end - start + 1) }
}
