/** Reads several sources at once, at most `limit` of them, and gives what they give as it comes. */
export async function* merge<T>(sources: readonly (() => AsyncGenerator<T>)[], limit: number): AsyncGenerator<T> {
  const waiting = [...sources]
  const reading = new Map<AsyncGenerator<T>, Promise<{ source: AsyncGenerator<T>; result: IteratorResult<T> }>>()
  const next = (source: AsyncGenerator<T>) =>
    reading.set(
      source,
      source.next().then((result) => ({ source, result })),
    )
  try {
    for (;;) {
      while (reading.size < limit && waiting.length > 0) next(waiting.shift()!())
      if (reading.size === 0) return
      const { source, result } = await Promise.race(reading.values())
      if (result.done) {
        reading.delete(source)
        continue
      }
      next(source)
      yield result.value
    }
  } finally {
    for (const pending of reading.values()) pending.catch(() => undefined)
    for (const source of reading.keys()) void source.return(undefined).catch(() => undefined)
  }
}
