/**
 * Lets so many runs through at once for each key (a kind, a host). Waiting runs of one key hold up no other:
 * that is what keeps a hanging target from delaying its neighbours.
 */
export class Limiter {
  private readonly running = new Map<string, number>()
  private readonly waiting = new Map<string, (() => void)[]>()

  constructor(private readonly limitOf: (key: string) => number) {}

  /** Resolves with the release; rejects when the signal fires first. */
  async enter(key: string, signal?: AbortSignal): Promise<() => void> {
    const running = this.running.get(key) ?? 0
    if (running < this.limitOf(key)) {
      this.running.set(key, running + 1)
      return this.releaser(key)
    }
    await new Promise<void>((resolve, reject) => {
      const queue = this.waiting.get(key) ?? []
      this.waiting.set(key, queue)
      const go = () => {
        signal?.removeEventListener('abort', stop)
        resolve()
      }
      const stop = () => {
        queue.splice(queue.indexOf(go), 1)
        reject(new Error('stopped while waiting for a free place'))
      }
      queue.push(go)
      signal?.addEventListener('abort', stop, { once: true })
    })
    return this.releaser(key)
  }

  /** A place handed over keeps the count; an unwanted one lowers it. */
  private releaser(key: string): () => void {
    let open = true
    return () => {
      if (!open) return
      open = false
      const next = this.waiting.get(key)?.shift()
      if (next) return next()
      const left = (this.running.get(key) ?? 1) - 1
      if (left > 0) this.running.set(key, left)
      else {
        this.running.delete(key)
        this.waiting.delete(key)
      }
    }
  }
}
