/**
 * Readers who ask the same at the same time share one run of the question. Somebody who comes while it runs waits for
 * the next run, so nobody is given an answer that began before they asked: many readers cost as much as two, and
 * nothing is ever stale.
 */
export function sharedRuns<T>(): (key: string, run: () => Promise<T>) => Promise<T> {
  interface Line {
    current: Promise<T>
    next?: Promise<T>
  }
  const lines = new Map<string, Line>()
  const start = (key: string, run: () => Promise<T>): Promise<T> => {
    const current = run()
    const line: Line = { current }
    lines.set(key, line)
    const leave = () => void (lines.get(key) === line && !line.next && lines.delete(key))
    current.then(leave, leave)
    return current
  }
  return (key, run) => {
    const line = lines.get(key)
    if (!line) return start(key, run)
    const begin = () => start(key, run)
    line.next ??= line.current.then(begin, begin)
    return line.next
  }
}
