import { databaseError } from '../../../platform/db/errors.ts'

const patienceMs = 10 * 60_000
const pauseMs = 2_000

/** Tries again while the database is away, for as long as results are kept for it. */
export async function throughOutage<T>(work: () => Promise<T>, stop: AbortSignal): Promise<T> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (databaseError(error)?.status !== 503 || performance.now() > until || stop.aborted) throw error
      await pause(stop)
    }
  }
}

const pause = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stop.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, pauseMs)
    stop.addEventListener('abort', end, { once: true })
  })
