/**
 * A place among the changes: the number of one of them, and which transactions a reader saw at that moment. Numbers are
 * drawn before their transaction commits, so the number alone does not say what was seen.
 */
export interface Position {
  id: number
  /** As PostgreSQL has it: all below `from` were seen, none at or above `to`, and between them all but `open`. */
  snapshot?: { from: string; to: string; open: string[] }
}

/** Longer ones come from servers with hundreds of transactions at once; the number alone then has to do. */
const longest = 1000

/** `123`, or `123@from:to:open,open`. Undefined for anything else, which counts as a first visit. */
export function readPosition(text: unknown): Position | undefined {
  if (typeof text !== 'string' || text.length > longest) return undefined
  const found = /^(\d{1,15})(?:@(\d{1,18}):(\d{1,18}):((?:\d{1,18}(?:,\d{1,18})*)?))?$/.exec(text)
  if (!found) return undefined
  const [, id, from, to, open] = found
  if (from === undefined || to === undefined) return { id: Number(id) }
  return { id: Number(id), snapshot: { from, to, open: open ? open.split(',') : [] } }
}

/** The text of a position, from a change's number and the text of a snapshot. */
export function showPosition(id: string | number, snapshot: string): string {
  const whole = `${id}@${snapshot}`
  return whole.length > longest ? String(id) : whole
}
