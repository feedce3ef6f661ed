import type { Context } from '../../context.ts'
import { readProperties } from '../../platform/properties.ts'
import { type AsyncConsumer, checkConsumers, type Consumer, type SyncConsumer } from './event.ts'
import {
  buryAbandoned,
  type ClaimedEvent,
  deleteEvents,
  failLocked,
  failTaken,
  finishEvent,
  lockEvents,
  renewEvent,
  takeEvents,
} from './events.sql.ts'
import { repeatWhenWoken } from '../../platform/repeat.ts'

const pollMs = 60_000
const syncBatch = 25
/** Well inside the minute after which an event that was taken once may be taken again. */
const renewMs = 15_000
const maxErrorLength = 2000

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength)

export interface ConsumersHandle {
  /** Waits for what is being handled. */
  stop(): Promise<void>
}

/** Works off the event queue until stopped. Any number of processes may do this at once. */
export function startConsumers(ctx: Context, consumers: readonly Consumer[]): ConsumersHandle {
  checkConsumers(consumers)
  const log = ctx.log.child({ part: 'events' })
  const onError = (error: unknown) => log.warn({ err: error }, 'working off the event queue failed; trying again')
  const aborter = new AbortController()
  const sync = consumers.filter((each): each is SyncConsumer => each.mode === 'sync')
  const async = consumers.filter((each): each is AsyncConsumer => each.mode === 'async')

  const loops = async.flatMap((consumer) =>
    Array.from({ length: consumer.concurrency ?? 1 }, () => ({
      names: new Set(consumer.names),
      loop: repeatWhenWoken(() => handleTaken(ctx, consumer, aborter.signal), { pollMs, onError }),
    })),
  )
  if (sync.length > 0) {
    const names = new Set(sync.flatMap((consumer) => consumer.names))
    loops.push({ names, loop: repeatWhenWoken(() => handleLocked(ctx, sync, names), { pollMs, onError }) })
  }
  const sweep = repeatWhenWoken(async () => void (await buryAbandoned(ctx.db)), { pollMs: 10 * pollMs, onError })

  const stopListening = ctx.live.listener.on('event_queue_updates', (name) => {
    for (const { names, loop } of loops) if (names.has(name)) loop.wake()
  })
  const stopReconnect = ctx.live.listener.onReconnect(() => {
    for (const { loop } of loops) loop.wake()
  })
  return {
    async stop() {
      stopListening()
      stopReconnect()
      const grace = setTimeout(() => aborter.abort(new Error('the server is stopping')), 5000)
      await Promise.all([sweep.stop(), ...loops.map(({ loop }) => loop.stop())])
      clearTimeout(grace)
    },
  }
}

/** One round of the synchronous consumers; false when nothing was due. A failing event does not disturb the others. */
export async function handleLocked(
  ctx: Context,
  consumers: readonly SyncConsumer[],
  names: ReadonlySet<string> = new Set(consumers.flatMap((consumer) => consumer.names)),
): Promise<boolean> {
  return ctx.db.tx(async (sql) => {
    const events = await lockEvents(sql, [...names], syncBatch)
    const done: string[] = []
    for (const event of events) {
      await sql.query('savepoint event')
      try {
        for (const consumer of consumers)
          if (consumer.names.includes(event.name)) await consumer.handle(ctx, sql, event)
        await sql.query('release savepoint event')
        done.push(event.id)
      } catch (error) {
        await sql.query('rollback to savepoint event')
        ctx.log.warn({ err: error, event: event.name, id: event.id }, 'an event could not be handled')
        await failLocked(sql, event.id, textOf(error))
      }
    }
    await deleteEvents(sql, done)
    return events.length > 0
  })
}

/** One batch of an asynchronous consumer; false when nothing was due. */
export async function handleTaken(ctx: Context, consumer: AsyncConsumer, signal: AbortSignal): Promise<boolean> {
  const events = await takeEvents(ctx.db, consumer.names, await batchSizeOf(ctx, consumer))
  await Promise.all(events.map((event) => handleOne(ctx, consumer, event, signal)))
  return events.length > 0
}

async function handleOne(
  ctx: Context,
  consumer: AsyncConsumer,
  event: ClaimedEvent,
  signal: AbortSignal,
): Promise<void> {
  let token: string | undefined = event.token
  let renewing: Promise<void> = Promise.resolve()
  const renewal = setInterval(() => {
    renewing = (async () => {
      if (token !== undefined) token = await renewEvent(ctx.db, event.id, token)
    })().catch((error: unknown) => ctx.log.warn({ err: error }, 'could not keep hold of an event'))
  }, renewMs)
  let failure: string | undefined
  try {
    await consumer.handle(ctx, event, signal)
  } catch (error) {
    failure = textOf(error)
    ctx.log.warn({ err: error, event: event.name, id: event.id }, 'an event could not be handled')
  } finally {
    clearInterval(renewal)
    await renewing
  }
  // Queued anew meanwhile: the fresh one is somebody's next turn.
  if (token === undefined) return
  if (failure === undefined) await finishEvent(ctx.db, event.id, token)
  else await failTaken(ctx.db, event.id, token, failure)
}

async function batchSizeOf(ctx: Context, consumer: AsyncConsumer): Promise<number> {
  const properties = await readProperties(ctx)
  const given = consumer.names
    .map((name) => Number(properties.get(`${name}.batchSize`)))
    .find((size) => Number.isInteger(size))
  return given !== undefined && given > 0 && given <= 1000 ? given : (consumer.batchSize ?? 1)
}
