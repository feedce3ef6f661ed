/** Hands things from those who hear of them to the one who stores them; whoever is too quick waits. */
export class Outbox<T> implements AsyncIterable<T> {
  private waiting: T[] = []
  private isClosed = false
  private arrived: (() => void) | undefined
  private taken: (() => void)[] = []

  constructor(private readonly most: number) {}

  async put(value: T): Promise<void> {
    if (this.isClosed) return
    this.waiting.push(value)
    this.arrived?.()
    if (this.waiting.length >= this.most) await new Promise<void>((resolve) => this.taken.push(resolve))
  }

  /** What waits is still given out; nothing is taken any more. */
  close(): void {
    this.isClosed = true
    this.arrived?.()
    this.release()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const batch = this.waiting
      this.waiting = []
      this.release()
      yield* batch
      if (this.waiting.length > 0) continue
      if (this.isClosed) return
      await new Promise<void>((resolve) => (this.arrived = resolve))
      this.arrived = undefined
    }
  }

  private release(): void {
    const waiting = this.taken
    this.taken = []
    for (const resolve of waiting) resolve()
  }
}
