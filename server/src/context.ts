import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import type { Config } from './config.ts'
import type { Db } from './platform/db/db.ts'
import type { Live } from './platform/events/live.ts'
import type { Queue } from './platform/queue/queue.ts'
import type { Secrets } from './platform/secrets/secrets.ts'

export interface Clock {
  now(): Date
}
export const systemClock: Clock = { now: () => new Date() }

/** Built once at start and passed down; nothing below reads the environment or makes its own connection. */
export interface Context {
  config: Config
  log: Logger
  db: Db
  clock: Clock
  queue: Queue
  live: Live
  secrets: Secrets
  /** Where areas register their numbers; absent in tests that do not look at them. */
  metrics?: Registry
}
