/** Figures by group; a single figure has the group ''. */
export type Counts = ReadonlyMap<string, number>

/** Counts what happened from `from` (included) to `to` (not included). */
export type CountWindow = (from: Date, to: Date) => Promise<Counts>

interface Base {
  from: Date
  to: Date
  counts: Counts
  /** When it was counted, by the caller's clock. */
  at: number
  refreshing: boolean
}

const minute = 60_000
/** What is older than this is not repeated or moved any more, so counting it once holds for a while. */
const settled = 120 * minute
/** Counting that is quicker than this is done anew each time. */
const slow = 40
const refreshAfter = 5 * minute
const dropAfter = 60 * minute
const most = 200

/**
 * Counts over long windows that move with the clock. The old part of a window is counted once and kept for some minutes;
 * what came since, and what left the window since, is counted for every question. So the newest changes are always in,
 * and a change that is removed later than two hours after it happened is noticed within minutes.
 */
export class WindowCounts {
  readonly #bases = new Map<string, Base>()

  async count(key: string, window: { from: Date; to: Date }, now: Date, count: CountWindow): Promise<Counts> {
    const { from, to } = window
    const border = new Date(Math.min(to.getTime(), now.getTime() - settled))
    if (border <= from) return count(from, to)
    const base = this.#usable(key, window, now)
    if (!base) {
      const [old, fresh] = await Promise.all([
        this.#countBase(key, { from, to: border }, now, count),
        border < to ? count(border, to) : undefined,
      ])
      return fresh ? add(old, fresh, 1) : old
    }
    if (now.getTime() - base.at > refreshAfter && !base.refreshing) {
      base.refreshing = true
      // A refresh that fails leaves the base as it is; it is tried again with the next question.
      this.#countBase(key, { from, to: border }, now, count).catch(() => void (base.refreshing = false))
    }
    const [fresh, gone] = await Promise.all([
      base.to < to ? count(base.to, to) : undefined,
      base.from < from ? count(base.from, from) : undefined,
    ])
    const withFresh = fresh ? add(base.counts, fresh, 1) : base.counts
    return gone ? add(withFresh, gone, -1) : withFresh
  }

  #usable(key: string, { from, to }: { from: Date; to: Date }, now: Date): Base | undefined {
    const base = this.#bases.get(key)
    if (!base) return undefined
    const age = now.getTime() - base.at
    return age >= 0 && age < dropAfter && base.from <= from && base.to <= to ? base : undefined
  }

  async #countBase(key: string, window: { from: Date; to: Date }, now: Date, count: CountWindow): Promise<Counts> {
    const start = performance.now()
    const counts = await count(window.from, window.to)
    this.#bases.delete(key)
    if (performance.now() - start >= slow) {
      this.#bases.set(key, { ...window, counts, at: now.getTime(), refreshing: false })
      if (this.#bases.size > most) this.#bases.delete(this.#bases.keys().next().value!)
    }
    return counts
  }
}

function add(counts: Counts, more: Counts, sign: 1 | -1): Counts {
  if (more.size === 0) return counts
  const sum = new Map(counts)
  for (const [group, count] of more) sum.set(group, Math.max(0, (sum.get(group) ?? 0) + sign * count))
  return sum
}
