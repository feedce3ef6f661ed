import { useSyncExternalStore } from 'react'

interface Ticker {
  now: number
  timer: ReturnType<typeof setInterval> | undefined
  listeners: Set<() => void>
}

// One timer per pace for the whole page: a thousand ages in a table wake up together or not at all.
const tickers = new Map<number, Ticker>()

function tickerOf(pace: number) {
  let ticker = tickers.get(pace)
  if (!ticker) tickers.set(pace, (ticker = { now: Date.now(), timer: undefined, listeners: new Set() }))
  return ticker
}

function subscribeTo(pace: number) {
  return (listener: () => void) => {
    if (!Number.isFinite(pace)) return () => undefined
    const ticker = tickerOf(pace)
    ticker.listeners.add(listener)
    ticker.timer ??= setInterval(() => {
      ticker.now = Date.now()
      for (const each of ticker.listeners) each()
    }, pace)
    return () => {
      ticker.listeners.delete(listener)
      if (ticker.listeners.size > 0) return
      clearInterval(ticker.timer)
      tickers.delete(pace)
    }
  }
}

const subscriptions = new Map<number, ReturnType<typeof subscribeTo>>()

/** The current time, renewed every `pace` milliseconds. */
export function useNow(pace: number): number {
  let subscribe = subscriptions.get(pace)
  if (!subscribe) subscriptions.set(pace, (subscribe = subscribeTo(pace)))
  return useSyncExternalStore(subscribe, () => tickerOf(pace).now)
}
