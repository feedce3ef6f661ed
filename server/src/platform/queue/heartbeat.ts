import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Logger } from 'pino'
import type { Db, Sql } from '../db/db.ts'
import { isAlive } from '../process-alive.ts'
import {
  beat,
  orphanedLockHolders,
  signOff,
  takeSilentWorkers,
  unlockJobsOf,
  workersOn,
  type WorkerIdentity,
} from './heartbeat.sql.ts'

/** A worker silent for this long is dead, and its work goes to others. */
export const silentForMs = 45_000
export const beatEveryMs = 10_000

export interface RescueOptions {
  silentForMs?: number
  /** What else the dead workers held, given back in the same transaction as their queue locks. */
  onDead?(sql: Sql, workerIds: readonly string[]): Promise<void>
}

/** An id names its process, so that a restart right after a crash need not wait for the silence. */
export const newWorkerId = (): string => `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`

function isGone(workerId: string): boolean {
  const pid = /-(\d+)-[0-9a-f]{8}$/.exec(workerId)?.[1]
  return pid !== undefined && !isAlive(Number(pid))
}

/** Gives the work of dead workers back to the queue. Any process may call it; each dead worker is handled once. */
export async function rescueDeadWorkers(db: Db, options: RescueOptions = {}): Promise<string[]> {
  const limit = options.silentForMs ?? silentForMs
  return db.tx(async (sql) => {
    const gone = (await workersOn(sql, hostname())).filter(isGone)
    const silent = await takeSilentWorkers(sql, limit, gone)
    const dead = [...new Set([...silent, ...(await orphanedLockHolders(sql, limit))])]
    if (dead.length === 0) return []
    await options.onDead?.(sql, dead)
    await unlockJobsOf(sql, dead)
    return dead
  })
}

export interface Heartbeat {
  stop(): Promise<void>
}

export interface HeartbeatOptions extends RescueOptions {
  db: Db
  log: Logger
  worker: WorkerIdentity
  beatEveryMs?: number
  /** Called when others took this process for dead (a long pause): what it runs now may also run elsewhere. */
  onLost(): void
}

/** Writes the first beat before returning, so that no lock is ever held by an unknown worker. */
export async function startHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { db, log, worker } = options
  await beat(db, worker)
  const round = async () => {
    try {
      if (!(await beat(db, worker))) {
        log.warn({ workerId: worker.workerId }, 'this worker was silent too long; its work was given to others')
        options.onLost()
      }
      const dead = await rescueDeadWorkers(db, options)
      if (dead.length > 0) log.warn({ workers: dead }, 'gave back the work of workers that died')
    } catch (error) {
      log.warn({ err: error }, 'heartbeat failed; trying again')
    }
  }
  let running = round()
  // A round that hangs (database away) must not pile up others behind it.
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    running = round().finally(() => (busy = false))
  }, options.beatEveryMs ?? beatEveryMs)
  return {
    async stop() {
      clearInterval(timer)
      await running
      await signOff(db, worker.workerId).catch((error: unknown) => log.warn({ err: error }, 'could not sign off'))
    },
  }
}
