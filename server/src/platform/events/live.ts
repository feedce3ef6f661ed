import type { LiveChange } from '@quarterdeck/contract/live'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Db } from '../db/db.ts'
import { type Listener, startListener } from './listener.ts'
import { type ChangeRow, changesAfter, newestChange, positionNow } from './live.sql.ts'
import type { Position } from './position.ts'

/** Tells open consoles which relations are stale. Messages carry names and ids, never data. */
export interface Live {
  /** The process's one listening connection; other parts may listen on channels of their own. */
  readonly listener: Listener
  /** Calls back for every change from now on. Returns the unsubscribe. */
  subscribe(subscriber: LiveSubscriber): () => void
  /** What changed after this position; undefined when that is no longer known. */
  changesAfter(position: Position): Promise<ChangeRow[] | undefined>
  /** Where a reader begins that is about to read: what changes from now on can be asked for later. */
  position(): Promise<string>
  close(): Promise<void>
}

export interface LiveSubscriber {
  change(id: number, change: LiveChange): void
  /** Changes were missed and cannot be told one by one. */
  missed(): void
}

const channel = 'quarterdeck_live'
const Message = z.object({ id: z.number(), relation: z.string(), ids: z.array(z.string()) })

export interface LiveOptions {
  db: Db
  log: Logger
  /** How often the table is compared with what was heard; finds what a broken or pooled connection swallowed. */
  compareEveryMs?: number
  listener?: Listener
}

export function createLive({ db, log, compareEveryMs = 10_000, listener: given }: LiveOptions): Live {
  const listener = given ?? startListener({ connection: db.pool.options as object, log })
  const subscribers = new Set<LiveSubscriber>()
  /** Highest number heard; undefined until the first one or the first comparison. */
  let heard: number | undefined

  const tell = ({ id, relation, ids }: ChangeRow) => {
    heard = Math.max(heard ?? 0, id)
    for (const subscriber of subscribers) subscriber.change(id, { relation, ids })
  }
  const catchUp = async () => {
    if (subscribers.size === 0) {
      heard = undefined
      return
    }
    if (heard === undefined) {
      heard = await newestChange(db)
      return
    }
    const from = heard
    const rows = await changesAfter(db, { id: from })
    if (rows) for (const row of rows) if (row.id > from) tell(row)
    if (rows) return
    heard = await newestChange(db)
    for (const subscriber of subscribers) subscriber.missed()
  }
  const compare = () =>
    catchUp().catch((error: unknown) => log.warn({ err: error }, 'could not look for missed changes'))

  const unlisten = listener.on(channel, (payload) => {
    const message = Message.safeParse(parseJson(payload))
    if (message.success) tell(message.data)
  })
  const stopReconnect = listener.onReconnect(() => {
    // A change committed during the break may carry a low number, so asking the table for higher ones is not enough.
    heard = undefined
    for (const subscriber of subscribers) subscriber.missed()
    void compare()
  })
  const timer = setInterval(compare, compareEveryMs)
  timer.unref()

  return {
    listener,
    subscribe(subscriber) {
      subscribers.add(subscriber)
      if (heard === undefined) void compare()
      return () => {
        subscribers.delete(subscriber)
      }
    },
    changesAfter: (position) => changesAfter(db, position),
    position: () => positionNow(db),
    async close() {
      clearInterval(timer)
      unlisten()
      stopReconnect()
      subscribers.clear()
      if (!given) await listener.close()
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
