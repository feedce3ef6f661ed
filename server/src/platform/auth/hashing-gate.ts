import { AppError } from '../errors.ts'

const atOnce = 2
const longestQueue = 200
let running = 0
const waiting: (() => void)[] = []

/**
 * Runs expensive hashes two at a time. They share the thread pool with file and name lookups, and each takes
 * memory, so a flood of sign-ins must queue here and not starve the process.
 */
export async function gated<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= longestQueue)
      throw new AppError(503, 'busy', 'Too many sign-ins at once. Try again in a moment.')
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}
