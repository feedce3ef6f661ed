import type { Worker } from 'node:worker_threads'
import { startThread } from '../../threads.ts'
import type { Job, Outcome, Reply, Request, WorkerSetup } from './protocol.ts'

interface Waiting {
  request: Request
  resolve(outcome: Outcome): void
  reject(error: Error): void
}

const pollMs = 20
const heapMb = 256
/** How long the loading of an interpreter or the start of a thread may hold up everything behind it. */
const startMs = 20_000

/** One thread with the requests it still owes an answer to. */
class Thread {
  private worker: Worker | undefined
  private progress = new Int32Array(new SharedArrayBuffer(4))
  private readonly waiting = new Map<number, Waiting>()
  private unsent: Waiting[] = []
  private timer: NodeJS.Timeout | undefined
  private seen = { id: 0, since: 0 }
  private lastReply = 0
  private stopped = false

  get load(): number {
    return this.waiting.size + this.unsent.length
  }

  submit(item: Waiting): void {
    this.unsent.push(item)
    // Requests of one turn of the event loop travel in one message.
    if (this.unsent.length === 1) setImmediate(() => this.send())
  }

  private send(): void {
    if (this.unsent.length === 0 || this.stopped) return
    const items = this.unsent
    this.unsent = []
    for (const item of items) {
      try {
        this.start().postMessage([item.request])
        this.waiting.set(item.request.id, item)
      } catch (error) {
        // The environment holds something that cannot be copied; the thread itself is fine.
        item.reject(error as Error)
      }
    }
    this.watch()
  }

  private start(): Worker {
    if (this.worker) return this.worker
    const setup: WorkerSetup = { progress: this.progress.buffer as SharedArrayBuffer }
    const worker = startThread('platform/expressions/runtime/expression-worker', {
      workerData: setup,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, stackSizeMb: 8 },
      // No setting and no secret of the server's environment is visible in the thread.
      env: {},
    })
    worker.on('message', (replies: Reply[]) => this.receive(replies))
    worker.on('error', (error) => this.broken(worker, error))
    worker.on('exit', () => this.broken(worker, new Error('the thread for expressions stopped')))
    this.worker = worker
    this.lastReply = Date.now()
    return worker
  }

  private receive(replies: Reply[]): void {
    this.lastReply = Date.now()
    for (const { id, outcome } of replies) {
      this.waiting.get(id)?.resolve(outcome)
      this.waiting.delete(id)
    }
    if (this.waiting.size === 0) this.rest()
  }

  /** An idle thread keeps no process alive. */
  private rest(): void {
    clearInterval(this.timer)
    this.timer = undefined
    this.seen = { id: 0, since: 0 }
    this.worker?.unref()
  }

  private watch(): void {
    this.worker?.ref()
    this.timer ??= setInterval(() => this.check(), pollMs)
  }

  private check(): void {
    const id = Atomics.load(this.progress, 0)
    const now = Date.now()
    if (id !== this.seen.id) this.seen = { id, since: now }
    const current = this.waiting.get(id)
    const { source, limits } = current?.request.job ?? {}
    // The JavaScript interpreter looks at the clock itself; stopping the thread is the second line.
    const { timeoutMs = 0 } = limits ?? {}
    if (current && now - this.seen.since > timeoutMs + (source?.language === 'javascript' ? 500 : 0)) {
      this.replace(id, { message: `The expression ran longer than ${timeoutMs} ms and was stopped`, kind: 'limit' })
    } else if (!current && now - Math.max(this.lastReply, this.seen.since) > startMs) {
      this.broken(this.worker, new Error('the thread for expressions does not answer'))
    }
  }

  /** Ends the thread, fails the request it was at, and gives the others to a new one. */
  private replace(id: number, failure: { message: string; kind: 'limit' | 'evaluation' }): void {
    const guilty = this.waiting.get(id)
    this.waiting.delete(id)
    this.drop()
    guilty?.resolve({ type: 'failure', failure: { ...failure, language: guilty.request.job.source.language } })
    const others = [...this.waiting.values()]
    this.waiting.clear()
    for (const item of others) this.submit(item)
  }

  private drop(): void {
    const { worker } = this
    this.worker = undefined
    worker?.removeAllListeners()
    worker?.on('error', () => {})
    void worker?.terminate()
    this.progress = new Int32Array(new SharedArrayBuffer(4))
    this.rest()
  }

  private broken(worker: Worker | undefined, error: Error): void {
    if (worker !== this.worker || this.stopped) return
    const id = Atomics.load(this.progress, 0)
    const outOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
    const message = outOfMemory
      ? `The expression needs more than ${heapMb} MB of memory`
      : `The expression could not be evaluated: ${error.message}`
    if (this.waiting.has(id)) return this.replace(id, { message, kind: outOfMemory ? 'limit' : 'evaluation' })
    // Nobody's expression is at fault, so trying again would only repeat it.
    const all = [...this.waiting.values()]
    this.waiting.clear()
    this.drop()
    for (const item of all) item.reject(error)
  }

  async stop(): Promise<void> {
    this.stopped = true
    const { worker } = this
    for (const item of [...this.waiting.values(), ...this.unsent]) item.reject(new Error('the server is stopping'))
    this.waiting.clear()
    this.unsent = []
    this.rest()
    worker?.removeAllListeners()
    await worker?.terminate()
  }
}

/** Runs jobs on a few threads; a job that takes too long or too much is stopped with its thread, the others go on. */
export class Pool {
  private readonly threads: Thread[]
  private nextId = 1

  constructor(size: number) {
    this.threads = Array.from({ length: Math.max(1, size) }, () => new Thread())
  }

  run(job: Job): Promise<Outcome> {
    const id = this.nextId
    this.nextId = this.nextId >= 0x7fffffff ? 1 : this.nextId + 1
    const thread = this.threads.reduce((best, other) => (other.load < best.load ? other : best))
    return new Promise((resolve, reject) => thread.submit({ request: { id, job }, resolve, reject }))
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.stop()))
  }
}
