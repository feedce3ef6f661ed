import { setTimeout as sleep } from 'node:timers/promises'

const attempts = 5

/** Whether the database ended this transaction in favour of another, as in a deadlock. */
export const isLost = (error: unknown): boolean => String((error as { code?: unknown }).code).startsWith('40')

/** Several work on the same rows: whoever loses begins again. The work must be one transaction, or one statement. */
export async function untilWon<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isLost(error) || attempt === attempts) throw error
      await sleep(200 * attempt)
    }
  }
}
