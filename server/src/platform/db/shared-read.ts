/**
 * One read for many who ask at the same time. Whoever asks while one is under way shares the next one, which begins
 * after all of them have asked: nobody gets an answer older than their question.
 */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined
  let next: Promise<T> | undefined
  const begin = (): Promise<T> => {
    const mine = read()
    const done = mine.then(
      () => undefined,
      () => undefined,
    )
    running = done
    void done.then(() => {
      if (running === done) running = undefined
    })
    return mine
  }
  return () => {
    if (!running) return begin()
    next ??= running.then(() => {
      next = undefined
      return begin()
    })
    return next
  }
}
