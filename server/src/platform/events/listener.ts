import pg from 'pg'
import type { Logger } from 'pino'

/** One connection that listens for NOTIFY on behalf of the whole process. */
export interface Listener {
  /** Calls back for every notification on the channel. Returns the way to stop. */
  on(channel: string, callback: (payload: string) => void): () => void
  /** Calls back whenever listening begins again after a break: what happened in between was not heard. */
  onReconnect(callback: () => void): () => void
  readonly connected: boolean
  close(): Promise<void>
}

export interface ListenerOptions {
  connection: pg.ClientConfig
  log: Logger
  /** Longest pause between two attempts to connect. */
  maxDelayMs?: number
  /** How often the connection is asked whether it still lives; a half-open one is only found by asking. */
  probeEveryMs?: number
}

/** Connects in the background and keeps connecting; callers never see a connection error. */
export function startListener({
  connection,
  log,
  maxDelayMs = 10_000,
  probeEveryMs = 30_000,
}: ListenerOptions): Listener {
  const channels = new Map<string, Set<(payload: string) => void>>()
  const reconnected = new Set<() => void>()
  let client: pg.Client | undefined
  let attempts = 0
  let everConnected = false
  let closed = false
  let retry: NodeJS.Timeout | undefined
  let probe: NodeJS.Timeout | undefined
  let connecting: Promise<void> = Promise.resolve()

  const lose = (lost: pg.Client, error?: unknown) => {
    if (client === lost) client = undefined
    clearInterval(probe)
    lost.removeAllListeners('notification')
    lost.end().catch(() => undefined)
    if (closed || retry) return
    const delay = Math.min(maxDelayMs, 100 * 2 ** attempts++) * (0.75 + Math.random() / 2)
    log.warn({ err: error, delay: Math.round(delay) }, 'lost the connection that listens for changes; connecting again')
    retry = setTimeout(() => {
      retry = undefined
      connecting = connect()
    }, delay)
  }

  const connect = async () => {
    const next = new pg.Client({ ...connection, application_name: 'quarterdeck-listen', keepAlive: true })
    next.on('error', (error) => lose(next, error))
    next.on('end', () => client === next && lose(next))
    next.on('notification', ({ channel, payload }) => {
      for (const callback of channels.get(channel) ?? []) callback(payload ?? '')
    })
    try {
      await next.connect()
      for (const channel of channels.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      lose(next, error)
      return
    }
    if (closed) {
      await next.end()
      return
    }
    client = next
    attempts = 0
    probe = setInterval(() => {
      const late = setTimeout(() => lose(next, new Error('no answer')), 5000)
      next.query('select 1').then(
        () => clearTimeout(late),
        () => clearTimeout(late),
      )
    }, probeEveryMs)
    probe.unref()
    if (everConnected) for (const callback of reconnected) callback()
    everConnected = true
  }
  connecting = connect()

  return {
    get connected() {
      return client !== undefined
    },
    on(channel, callback) {
      let callbacks = channels.get(channel)
      if (!callbacks) {
        channels.set(channel, (callbacks = new Set()))
        const current = client
        current?.query(`listen ${pg.escapeIdentifier(channel)}`).catch((error: unknown) => lose(current, error))
        // While the first connection is being made, its round over the channels may already have passed this one.
        if (!current)
          void connecting.then(() => client?.query(`listen ${pg.escapeIdentifier(channel)}`)).catch(() => undefined)
      }
      callbacks.add(callback)
      return () => {
        callbacks.delete(callback)
      }
    },
    onReconnect(callback) {
      reconnected.add(callback)
      return () => {
        reconnected.delete(callback)
      }
    },
    async close() {
      closed = true
      clearTimeout(retry)
      clearInterval(probe)
      await connecting
      const last = client
      client = undefined
      await last?.end().catch(() => undefined)
    },
  }
}
