import type { ServerResponse } from 'node:http'
import type { LiveChange, LiveEvent, LiveEventName } from '@quarterdeck/contract/live'
import { liveBeatMs } from '@quarterdeck/contract/live-beat'
import { pendingChanges } from './pending-changes.ts'

/** Four messages a second at most. */
const pauseMs = 250
/** A reader that leaves this much unread is behind; it gets nothing more until it caught up, and then reads everything again. */
const maxUnreadBytes = 64 * 1024

export interface EventStream {
  /** Sends at once when nothing was sent in the last quarter second, else with the next batch. */
  change(id: number, change: LiveChange): void
  /** A change this reader may not see: only its number counts, so that coming back later starts from there. */
  skip(id: number): void
  /** Tells the reader that everything may be stale. */
  refetch(): void
  /** Says goodbye and closes: the reader does not come back. */
  end(): void
  /** Closes without a word: the reader comes back, maybe to another process. */
  close(): void
  readonly closed: boolean
  onClose(callback: () => void): void
}

export interface StreamOptions {
  /** Number of the newest change when the stream began; what the reader comes back with when it heard nothing. */
  startId: number
  heartbeatMs?: number
}

/** Writes server-sent events to a response that nobody else writes to. */
export function openStream(response: ServerResponse, options: StreamOptions): EventStream {
  const pending = pendingChanges()
  let lastId = options.startId
  let skipped = 0
  let lastSent = -Infinity
  let timer: NodeJS.Timeout | undefined
  let behind = false
  let closed = false
  const callbacks: (() => void)[] = []

  const write = (text: string) => {
    if (closed || response.writableEnded) return
    response.write(text)
  }
  const send = (name: LiveEventName, data: LiveEvent | Record<string, never>) =>
    write(`event: ${name}\nid: ${lastId}\ndata: ${JSON.stringify(data)}\n\n`)

  const flush = () => {
    timer = undefined
    if (closed) return
    if (response.writableLength > maxUnreadBytes) {
      behind = true
      pending.clear()
      return
    }
    const batch = pending.take()
    lastId = Math.max(lastId, skipped, batch?.id ?? 0)
    if (!batch) return
    lastSent = performance.now()
    send('change', { changes: batch.changes })
  }
  const heartbeat = setInterval(() => {
    // A reader that took nothing for a whole heartbeat while data waits is gone or hopeless.
    if (response.writableLength > 2 * maxUnreadBytes) response.destroy()
    else if (!behind) {
      flush()
      send('beat', {})
    }
  }, options.heartbeatMs ?? liveBeatMs)

  response.on('drain', () => {
    if (!behind) return
    behind = false
    pending.clear()
    send('refetch', {})
  })
  response.on('close', () => {
    closed = true
    clearInterval(heartbeat)
    clearTimeout(timer)
    for (const callback of callbacks) callback()
  })
  // A write to a reader that just left is no failure of ours.
  response.on('error', () => undefined)
  write(`retry: 2000\nid: ${lastId}\n\n`)

  return {
    change(id, change) {
      if (closed || behind) return
      pending.add(id, change)
      if (timer) return
      const wait = Math.max(0, lastSent + pauseMs - performance.now())
      timer = setTimeout(flush, wait)
    },
    skip(id) {
      skipped = Math.max(skipped, id)
    },
    refetch() {
      if (behind) return
      pending.clear()
      send('refetch', {})
    },
    end() {
      send('end', {})
      response.end()
    },
    close: () => void response.end(),
    get closed() {
      return closed
    },
    onClose: (callback) => void callbacks.push(callback),
  }
}
