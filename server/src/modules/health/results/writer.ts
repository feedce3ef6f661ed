import type { Logger } from 'pino'
import type { Db } from '../../../platform/db/db.ts'
import { untilWon } from '../../../platform/db/lost.ts'
import { addMissed, type StoredResult, storeResults } from './results.sql.ts'
import { isRefusal } from './storable.ts'

const flushEveryMs = 500
const batchSize = 500
/** Ten minutes at 300 results a second, and never more memory than this: an outage beyond it counts as missed runs. */
const maxWaiting = 200_000
const maxWaitingBytes = 96 * 1024 * 1024

export interface WriterStats {
  waiting: number
  stored: number
  dropped: number
}

export interface ResultWriter {
  /** Takes a result; it is in the database within a second while the database answers. */
  add(result: StoredResult): void
  /** A run that was due and did not happen. */
  missed(checkId: string, count?: number): void
  /** Resolves when everything taken so far is stored. */
  flush(): Promise<void>
  stats(): WriterStats
  stop(): Promise<void>
}

const sizeOf = (result: StoredResult): number =>
  200 + (result.message?.length ?? 0) + (result.error?.length ?? 0) + (result.details?.length ?? 0)

/** Collects results and writes them in batches; keeps them while the database is away. */
export function startWriter({ db, log }: { db: Db; log: Logger }): ResultWriter {
  const waiting: StoredResult[] = []
  const missed = new Map<string, number>()
  let bytes = 0
  let stored = 0
  let dropped = 0
  let failing = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined

  const note = (checkId: string, count: number) => missed.set(checkId, (missed.get(checkId) ?? 0) + count)

  /** Halves a batch the database refuses until the result it does not take is alone: the others must not wait for it. */
  async function storeAll(batch: readonly StoredResult[]): Promise<number> {
    try {
      await untilWon(() => storeResults(db, batch))
      return 0
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (batch.length > 1) {
        const half = Math.ceil(batch.length / 2)
        return (await storeAll(batch.slice(0, half))) + (await storeAll(batch.slice(half)))
      }
      const { checkId } = batch[0]!
      log.error({ err: error, check: checkId }, 'a result cannot be stored and counts as missed')
      note(checkId, 1)
      return 1
    }
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize)
      const refused = await storeAll(batch)
      waiting.splice(0, batch.length)
      for (const result of batch) bytes -= sizeOf(result)
      stored += batch.length - refused
      dropped += refused
    }
    if (missed.size > 0) {
      const counts = new Map(missed)
      missed.clear()
      await addMissed(db, counts).catch((error: unknown) => {
        for (const [checkId, count] of counts) note(checkId, count)
        throw error
      })
    }
  }

  function flush(): Promise<void> {
    flushing ??= drain().finally(() => (flushing = undefined))
    return flushing
  }

  function schedule(delay: number): void {
    if (stopped) return
    timer = setTimeout(() => {
      flush().then(
        () => {
          if (failing) log.info({ waiting: waiting.length }, 'results are being stored again')
          failing = false
          schedule(flushEveryMs)
        },
        (error: Error) => {
          // Said once: a long outage would otherwise fill the log.
          if (!failing) log.error({ err: error }, 'results cannot be stored; they are kept until the database answers')
          failing = true
          schedule(1000)
        },
      )
    }, delay)
  }
  schedule(flushEveryMs)

  return {
    add(result) {
      waiting.push(result)
      bytes += sizeOf(result)
      while (waiting.length > maxWaiting || bytes > maxWaitingBytes) {
        // The batch being written stays: it may already be in the database.
        const gone = waiting.splice(flushing ? Math.min(batchSize, waiting.length - 1) : 0, 1)[0]
        if (!gone) break
        bytes -= sizeOf(gone)
        dropped += 1
        note(gone.checkId, 1)
      }
    },
    missed: (checkId, count = 1) => note(checkId, count),
    async flush() {
      await flush()
      if (waiting.length > 0 || missed.size > 0) await flush()
    },
    stats: () => ({ waiting: waiting.length, stored, dropped }),
    async stop() {
      stopped = true
      clearTimeout(timer)
      await flush().catch((error: Error) => log.error({ err: error, lost: waiting.length }, 'results were not stored'))
    },
  }
}
