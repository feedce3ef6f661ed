import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { LiveUpdates, type LiveState } from '@/api/live.ts'

let current: LiveUpdates | null = null
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** Keeps the stream of changes open while the shell is on screen and the server has one. */
export function useLiveUpdates(offered: boolean, onEnd: () => void) {
  const queries = useQueryClient()
  useEffect(() => {
    if (!offered) return
    const live = new LiveUpdates(queries, { onEnd })
    current = live
    const forget = live.subscribe(tell)
    live.start()
    return () => {
      current = null
      forget()
      live.stop()
    }
  }, [offered, onEnd, queries])
}

/** Whether changes are arriving. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current?.state ?? 'off',
  )
}
