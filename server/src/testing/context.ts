import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import type { Clock, Context } from '../context.ts'
import type { Db } from '../platform/db/db.ts'
import { idleLive } from '../platform/events/idle.ts'
import { createQueue } from '../platform/queue/queue.ts'
import { decryptWith, encryptWith, keyIdOf } from '../platform/secrets/file-secrets.ts'
import { newKey } from '../platform/secrets/key-file.ts'

/** A context over a test database: default settings, silent log, real clock, a key of its own, no live stream. */
export function testContext(db: Db, changes: Partial<Context> = {}): Context {
  const key = newKey()
  return {
    config: readConfig({ QUARTERDECK_DATA_DIR: `/nowhere/${randomBytes(4).toString('hex')}` }),
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    db,
    clock: { now: () => new Date() },
    queue: createQueue(),
    live: idleLive,
    secrets: {
      encrypt: (plain) => encryptWith(key, plain),
      decrypt: (stored) => decryptWith(key, stored),
      isEncrypted: (value) => keyIdOf(value) !== undefined,
    },
    ...changes,
  }
}

/** A clock that stands still until told. */
export function fakeClock(start: string): Clock & { set(time: string): void; add(ms: number): void } {
  let now = new Date(start)
  return {
    now: () => new Date(now),
    set: (time) => void (now = new Date(time)),
    add: (ms) => void (now = new Date(now.getTime() + ms)),
  }
}
