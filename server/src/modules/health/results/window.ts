/** One result as the last-hour figures need it. */
interface Sample {
  time: number
  duration: number
  pass: boolean
}

export interface WindowStats {
  p50: number
  p95: number
  p99: number
  mean: number
  passed: number
  failed: number
  lastPass: number | null
  lastFail: number | null
}

/** A check that runs every second would otherwise keep 3,600 samples; percentiles need far fewer. */
const maxSamples = 600
export const windowMs = 3_600_000

/**
 * The last hour of one check, kept in memory by the process that runs it, so that its summary costs no scan.
 * An empty hour shows the newest result alone.
 */
export class ResultWindow {
  private samples: Sample[] = []
  private lastPass: number | null = null
  private lastFail: number | null = null
  /** Results that fell out by number, not by age: they still count. */
  private droppedPassed = 0
  private droppedFailed = 0
  private droppedUntil = 0

  add(time: number, duration: number, pass: boolean): void {
    this.samples.push({ time, duration, pass })
    if (pass) this.lastPass = Math.max(this.lastPass ?? 0, time)
    else this.lastFail = Math.max(this.lastFail ?? 0, time)
    if (this.samples.length > maxSamples) {
      const gone = this.samples.shift()!
      if (gone.pass) this.droppedPassed += 1
      else this.droppedFailed += 1
      this.droppedUntil = gone.time
    }
  }

  /** Knows an earlier pass or failure that lies outside the hour. */
  remember(lastPass: number | null, lastFail: number | null): void {
    this.lastPass = Math.max(this.lastPass ?? 0, lastPass ?? 0) || null
    this.lastFail = Math.max(this.lastFail ?? 0, lastFail ?? 0) || null
  }

  stats(now: number): WindowStats | undefined {
    const from = now - windowMs
    if (this.droppedUntil <= from) this.droppedPassed = this.droppedFailed = 0
    const newest = this.samples.at(-1)
    if (!newest) return undefined
    let first = 0
    while (first < this.samples.length - 1 && this.samples[first]!.time <= from) first += 1
    if (first > 0) this.samples.splice(0, first)
    const durations = this.samples.map((sample) => sample.duration).sort((a, b) => a - b)
    const passed = this.samples.reduce((sum, sample) => sum + (sample.pass ? 1 : 0), 0)
    return {
      p50: percentile(durations, 0.5),
      p95: percentile(durations, 0.95),
      p99: percentile(durations, 0.99),
      mean: durations.reduce((sum, value) => sum + value, 0) / durations.length,
      passed: passed + this.droppedPassed,
      failed: durations.length - passed + this.droppedFailed,
      lastPass: this.lastPass,
      lastFail: this.lastFail,
    }
  }
}

/** Discrete, as PostgreSQL's percentile_disc: the first value that at least that share does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}
