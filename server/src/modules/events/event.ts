import type { Context } from '../../context.ts'
import type { Sql } from '../../platform/db/db.ts'

/** One fact on the event queue, for example `check.failed` with the check's id. */
export interface Event {
  id: string
  name: string
  properties: Record<string, string>
  createdAt: Date
  /** Failed tries before this one. */
  attempts: number
}

/** Handlers that only use the database: they run in the transaction that takes the event off the queue. */
export interface SyncConsumer {
  mode: 'sync'
  names: readonly string[]
  /** Several consumers may want one name: all of them handle it, or none did. */
  handle(ctx: Context, sql: Sql, event: Event): Promise<void>
}

/** Handlers that talk to the outside: an event is kept until they are done, and may come twice if a worker dies. */
export interface AsyncConsumer {
  mode: 'async'
  names: readonly string[]
  /** Events taken at once; the property `{event}.batchSize` overrides it. */
  batchSize?: number
  /** Batches worked on at the same time in one process. */
  concurrency?: number
  handle(ctx: Context, event: Event, signal: AbortSignal): Promise<void>
}

export type Consumer = SyncConsumer | AsyncConsumer

export function defineConsumer(consumer: SyncConsumer): SyncConsumer
export function defineConsumer(consumer: AsyncConsumer): AsyncConsumer
export function defineConsumer(consumer: Consumer): Consumer {
  return consumer
}

/** Fails at start when a name is handled both ways, or by two asynchronous consumers: one of them would never see it. */
export function checkConsumers(consumers: readonly Consumer[]): void {
  const taken = new Map<string, Consumer['mode']>()
  for (const consumer of consumers) {
    for (const name of consumer.names) {
      const before = taken.get(name)
      if (before && (before === 'async' || consumer.mode === 'async')) {
        throw new Error(`two consumers want the event ${name}, and one of them is asynchronous`)
      }
      taken.set(name, consumer.mode)
    }
  }
}
