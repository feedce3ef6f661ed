import { liveBeatMs } from '@quarterdeck/contract/live-beat'
import { familiesOfRelation, queryFamilies } from '@quarterdeck/contract/query-families'
import type { Query, QueryClient } from '@tanstack/react-query'
import { isAway, isRecord } from './errors.ts'
import { advancePosition, livePosition } from './live-position.ts'

/** One relation that changed and the rows that did; no rows means any. */
export interface Change {
  relation: string
  ids: readonly string[]
}
export type LiveState = 'off' | 'open' | 'reconnecting'

interface Options {
  address?: string
  /** The server said that the session is over. */
  onEnd?: () => void
  open?: (address: string) => EventSource
  /** How often everything on screen is read again while the stream is down. */
  pollEvery?: number
}

// A query is not read again sooner than this after its last answer, however busy the server is.
const restAfterAnswer = 1_500
const tick = 250
// A stream costs one of the six connections a browser has per server, so tabs nobody looks at give theirs back.
const hiddenTabKeeps = 60_000
const slowestRetry = 30_000
// The server says every 15 s that it is there. A laptop that slept, or a network that changed, leaves a connection that
// looks open and never speaks again.
const longestSilence = 40_000

/** Whether a change makes a query stale: its family shows the relation, and nothing it says about itself rules it out. */
export function isTouched(query: Pick<Query, 'queryKey' | 'meta'>, { relation, ids }: Change): boolean {
  const family = query.queryKey[0]
  const families: readonly string[] = familiesOfRelation[relation] ?? queryFamilies
  if (typeof family !== 'string' || !families.includes(family)) return false
  const { relations, ids: rows } = query.meta ?? {}
  if (relations && !relations.includes(relation)) return false
  return !rows || ids.length === 0 || rows.some((id) => ids.includes(id))
}

/** Changes of one event; anything that is not one is left out. */
export function readChanges(data: string): Change[] {
  try {
    const event: unknown = JSON.parse(data)
    const changes = isRecord(event) && Array.isArray(event.changes) ? (event.changes as unknown[]) : []
    return changes.flatMap((change) =>
      isRecord(change) && typeof change.relation === 'string'
        ? [{ relation: change.relation, ids: Array.isArray(change.ids) ? (change.ids as string[]) : [] }]
        : [],
    )
  } catch {
    return []
  }
}

/** Keeps what is on screen fresh: reads again exactly what the server says has changed. */
export class LiveUpdates {
  #state: LiveState = 'off'
  readonly #queries: QueryClient
  readonly #options: Required<Options>
  readonly #listeners = new Set<() => void>()
  readonly #stale = new Map<string, Query>()
  #source: EventSource | null = null
  #failures = 0
  #ticker: ReturnType<typeof setInterval> | undefined
  #poller: ReturnType<typeof setInterval> | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #pause: ReturnType<typeof setTimeout> | undefined
  #watchdog: ReturnType<typeof setInterval> | undefined
  #heardAt = 0

  constructor(queries: QueryClient, options: Options = {}) {
    this.#queries = queries
    this.#options = {
      address: '/api/events',
      onEnd: () => {},
      open: (address) => new EventSource(address),
      pollEvery: 30_000,
      ...options,
    }
  }

  get state() {
    return this.#state
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  start() {
    document.addEventListener('visibilitychange', this.#onVisibility)
    window.addEventListener('online', this.#tryNow)
    this.#connect()
  }

  stop() {
    document.removeEventListener('visibilitychange', this.#onVisibility)
    window.removeEventListener('online', this.#tryNow)
    this.#disconnect()
    clearInterval(this.#ticker)
    this.#ticker = undefined
    this.#stale.clear()
    this.#setState('off')
  }

  #setState(state: LiveState) {
    if (this.#state === state) return
    this.#state = state
    for (const listener of this.#listeners) listener()
  }

  #connect() {
    this.#disconnect()
    const { address, open } = this.#options
    // What changed since the first answers, or since the last event, is told first. On retries of its own the browser
    // says the last event's id by itself.
    const from = livePosition()
    const source = open(from === '' ? address : `${address}?lastEventId=${encodeURIComponent(from)}`)
    this.#source = source
    source.addEventListener('open', () => {
      this.#failures = 0
      clearInterval(this.#poller)
      this.#poller = undefined
      this.#heard()
      // What failed while the server was away would stay a failure on screen: the stream tells only what changed.
      if (this.#state === 'reconnecting') this.#mark(({ state }) => state.status === 'error' && isAway(state.error))
      this.#setState('open')
    })
    source.addEventListener('change', (event) => this.#onChange(event))
    source.addEventListener('refetch', (event) => {
      this.#remember(event)
      this.#markAll()
    })
    source.addEventListener('beat', (event) => {
      this.#remember(event)
      this.#watch(source)
    })
    source.addEventListener('end', () => {
      this.stop()
      this.#options.onEnd()
    })
    source.addEventListener('error', () => this.#onError(source))
  }

  /** From its first beat on: a server that never beats is never silent. */
  #watch(source: EventSource) {
    this.#watchdog ??= setInterval(() => {
      if (Date.now() - this.#heardAt < longestSilence) return
      source.close()
      this.#onError(source)
      this.#tryNow()
    }, liveBeatMs)
  }

  #heard() {
    this.#heardAt = Date.now()
  }

  #disconnect() {
    this.#source?.close()
    this.#source = null
    clearInterval(this.#watchdog)
    this.#watchdog = undefined
    clearTimeout(this.#retry)
    clearTimeout(this.#pause)
    clearInterval(this.#poller)
    this.#poller = undefined
  }

  #onError(source: EventSource) {
    if (this.#source !== source) return
    this.#setState('reconnecting')
    this.#poller ??= setInterval(() => this.#markAll(), this.#options.pollEvery)
    // Anything but a broken connection ends the stream for good, so it is opened anew, later each time.
    if (source.readyState !== source.CLOSED) return
    const wait = Math.min(slowestRetry, 1000 * 2 ** this.#failures++) * (0.75 + Math.random() / 2)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#reconnect(), wait)
  }

  #reconnect() {
    const polling = this.#poller
    this.#poller = undefined
    this.#connect()
    this.#poller = polling
  }

  /** The network is back, or somebody looks: no need to sit out the wait. */
  readonly #tryNow = () => {
    if (this.#state === 'reconnecting') this.#reconnect()
  }

  #remember(event: MessageEvent) {
    this.#heard()
    advancePosition(event.lastEventId)
  }

  #onChange(event: MessageEvent) {
    this.#remember(event)
    for (const change of readChanges(String(event.data))) this.#mark((query) => isTouched(query, change))
  }

  #markAll() {
    const families: readonly unknown[] = queryFamilies
    this.#mark((query) => families.includes(query.queryKey[0]))
  }

  #mark(touched: (query: Query) => boolean) {
    for (const query of this.#queries.getQueryCache().getAll())
      if (touched(query)) this.#stale.set(query.queryHash, query)
    if (this.#stale.size === 0) return
    this.#flush()
    this.#ticker ??= setInterval(() => this.#flush(), tick)
  }

  #flush() {
    for (const [hash, query] of this.#stale) {
      // An answer on its way may be older than the change, so the query waits for it and is then read again.
      const rested = Date.now() - query.state.dataUpdatedAt >= restAfterAnswer
      if (query.isActive() && (query.state.fetchStatus === 'fetching' || !rested)) continue
      this.#stale.delete(hash)
      void this.#queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
    }
    if (this.#stale.size > 0) return
    clearInterval(this.#ticker)
    this.#ticker = undefined
  }

  readonly #onVisibility = () => {
    clearTimeout(this.#pause)
    if (document.visibilityState === 'hidden') {
      this.#pause = setTimeout(() => {
        this.#disconnect()
        this.#setState('off')
      }, hiddenTabKeeps)
    } else if (!this.#source) {
      this.#connect()
      // Without an id the server cannot know what was missed while the tab slept.
      if (livePosition() === '') this.#markAll()
    } else this.#tryNow()
  }
}
