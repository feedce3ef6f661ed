/**
 * One read for many who ask the same at the same time. Whoever asks while one is under way shares the next one, which
 * begins after all of them have asked: nobody gets an answer older than their question.
 */
export class SharedReads<T> {
  private readonly lanes = new Map<string, { running: Promise<void>; next?: Promise<T> }>()

  read(question: string, read: () => Promise<T>): Promise<T> {
    const lane = this.lanes.get(question)
    if (!lane) return this.begin(question, read)
    return (lane.next ??= lane.running.then(() => this.begin(question, read)))
  }

  private begin(question: string, read: () => Promise<T>): Promise<T> {
    const answer = read()
    const done = () => {
      // With somebody waiting the next one takes the place.
      if (!lane.next) this.lanes.delete(question)
    }
    const lane: { running: Promise<void>; next?: Promise<T> } = { running: answer.then(done, done) }
    this.lanes.set(question, lane)
    return answer
  }
}

/** The same for one question. */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  const reads = new SharedReads<T>()
  return () => reads.read('', read)
}
