import { createHash } from 'node:crypto'

/**
 * Where in its period a canary starts: a stable share of the period taken from its id. Starts are spread evenly,
 * stay put across restarts, and every process agrees on them without storing anything.
 */
export function phaseOf(id: string, periodMs: number): number {
  const share = createHash('sha256').update(id).digest().readUInt32BE(0) / 2 ** 32
  return Math.floor(share * periodMs)
}

/** The first slot strictly after `after`. */
export function nextSlot(id: string, periodMs: number, after: number): number {
  const phase = phaseOf(id, periodMs)
  return Math.floor((after - phase) / periodMs) * periodMs + periodMs + phase
}

/** How many slots lie in (from, to]: the runs that should have happened in that time. */
export function slotsBetween(id: string, periodMs: number, from: number, to: number): number {
  const phase = phaseOf(id, periodMs)
  return Math.max(0, Math.floor((to - phase) / periodMs) - Math.floor((from - phase) / periodMs))
}

export const shardCount = 64

/** Shards are the unit of ownership: one process runs all canaries of a shard. */
export function shardOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE(4) % shardCount
}
