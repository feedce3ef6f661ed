import { useEffect, useRef } from 'react'
import type { HealthRange } from '@quarterdeck/contract/time-range'

/**
 * Reads the dashboard again at a pace, and when another time range is chosen. `refetch` gives up a request that is still
 * on its way, so a slow server never has two of them; hidden pages ask nothing.
 */
export function useAutoRefresh(refetch: () => unknown, everyMs: number | undefined, range: HealthRange | undefined) {
  const latest = useRef(refetch)
  useEffect(() => {
    latest.current = refetch
  })
  useEffect(() => {
    if (everyMs === undefined) return
    const timer = setInterval(() => document.visibilityState === 'visible' && latest.current(), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  const shown = useRef(range)
  useEffect(() => {
    if (shown.current === range) return
    shown.current = range
    latest.current()
  }, [range])
}
