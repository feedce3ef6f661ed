import { NeedsHost, OutOfSteps, ValueError } from './errors.ts'

export interface Limits {
  /** Steps of the interpreters; a step is a node visited or about 32 characters handled. */
  steps: number
  /** Longest text a template or a text function may make. */
  output: number
  /** Wall time in a worker, after which it is stopped. */
  timeoutMs: number
  /** Memory of the JavaScript sandbox. */
  memoryBytes: number
}

export const defaultLimits: Limits = {
  steps: 5_000_000,
  output: 4 * 1024 * 1024,
  timeoutMs: 2_000,
  memoryBytes: 32 * 1024 * 1024,
}

/** One evaluation: what it may still cost, what time it is, and the answers the server already gave. */
export class Run {
  private left: number
  private readonly started: number

  constructor(
    readonly limits: Pick<Limits, 'steps' | 'output'>,
    readonly now: number = Date.now(),
    private readonly answers: ReadonlyMap<string, unknown> = new Map(),
    private readonly hostFunctions: ReadonlySet<string> = new Set(),
  ) {
    this.left = limits.steps
    this.started = limits.steps
  }

  get spent(): number {
    return this.started - this.left
  }

  /** Takes `steps` from the budget. Every loop and every function whose work grows with its input calls this first. */
  spend(steps: number): void {
    this.left -= steps
    if (this.left < 0) throw new OutOfSteps(this.limits.steps)
  }

  /** For work over a text of this length. */
  spendText(length: number): void {
    this.spend(1 + (length >>> 5))
  }

  /** Refuses a text longer than allowed before it is made. */
  allowText(length: number): void {
    if (length > this.limits.output) {
      throw new ValueError(`the text would be longer than ${this.limits.output.toLocaleString('en-US')} characters`)
    }
    this.spendText(length)
  }

  /** The server's answer to a function only it can answer; unanswered calls end this attempt. */
  host(name: string, args: unknown[]): unknown {
    if (!this.hostFunctions.has(name)) throw new ValueError(`${name}() is not available here`)
    const key = `${name}(${JSON.stringify(args)})`
    if (this.answers.has(key)) return this.answers.get(key)
    throw new NeedsHost(name, args, key)
  }
}
