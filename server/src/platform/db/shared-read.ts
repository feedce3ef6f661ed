/** Resolves when it is one's turn, with what is to be called at the end. */
export type Line = () => Promise<() => void>

/**
 * One read for many who ask the same at the same time. Whoever asks while one is under way shares the next one, which
 * begins after all of them have asked: nobody gets an answer older than their question.
 */
export class SharedReads<T> {
  private readonly waiting = new Map<string, Promise<T>>()
  private readonly running = new Map<string, Promise<void>>()

  /** With a line, reads begin when it is their turn, and are shared until then. */
  constructor(private readonly line?: Line) {}

  read(question: string, read: () => Promise<T>): Promise<T> {
    const known = this.waiting.get(question)
    if (known) return known
    const turn = this.turnOf(question)
    if (!turn) return this.begin(question, read)
    const answer = turn.then((leave) => {
      this.waiting.delete(question)
      return this.begin(question, read, leave)
    })
    this.waiting.set(question, answer)
    return answer
  }

  private turnOf(question: string): Promise<(() => void) | void> | undefined {
    const { line } = this
    const running = this.running.get(question)
    return line ? (running ? running.then(line) : line()) : running
  }

  private begin(question: string, read: () => Promise<T>, leave?: (() => void) | void): Promise<T> {
    const answer = read()
    const done = () => {
      this.running.delete(question)
      leave?.()
    }
    this.running.set(question, answer.then(done, done))
    return answer
  }
}

/** The same for one question. */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  const reads = new SharedReads<T>()
  return () => reads.read('', read)
}
