/** How finely starts are timed; the lag of an idle engine is at most this. */
export const wheelStepMs = 50

/**
 * Due times of many things with constant cost per change: a map from time step to what is due then.
 * `take(now)` hands out everything due, in order of time.
 */
export class TimerWheel {
  private readonly steps = new Map<number, Map<string, number>>()
  private readonly where = new Map<string, number>()
  private next = Number.POSITIVE_INFINITY

  get size(): number {
    return this.where.size
  }

  set(id: string, at: number): void {
    this.delete(id)
    const step = Math.floor(at / wheelStepMs)
    let due = this.steps.get(step)
    if (!due) this.steps.set(step, (due = new Map()))
    due.set(id, at)
    this.where.set(id, step)
    this.next = Math.min(this.next, step)
  }

  delete(id: string): void {
    const step = this.where.get(id)
    if (step === undefined) return
    this.where.delete(id)
    const due = this.steps.get(step)
    due?.delete(id)
    if (due?.size === 0) this.steps.delete(step)
  }

  take(now: number): { id: string; at: number }[] {
    const last = Math.floor(now / wheelStepMs)
    if (this.next > last || this.steps.size === 0) return []
    const taken: { id: string; at: number }[] = []
    // After a long pause walking every step would cost more than looking at the steps that exist.
    const steps =
      last - this.next > this.steps.size
        ? [...this.steps.keys()].filter((step) => step <= last)
        : range(this.next, last)
    for (const step of steps) {
      const due = this.steps.get(step)
      if (!due) continue
      for (const [id, at] of due) {
        if (at > now) continue
        taken.push({ id, at })
        due.delete(id)
        this.where.delete(id)
      }
      if (due.size === 0) this.steps.delete(step)
    }
    this.next = this.steps.has(last) ? last : last + 1
    return taken.sort((a, b) => a.at - b.at)
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)
