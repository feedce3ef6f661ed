import { useCallback, useEffect, useRef, useState } from 'react'

/** How long typing must rest before something happens. */
export const debounces = { search: 400, options: 100, resources: 300 } as const

/** The value as it was after it rested for `ms`. */
export function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

/** Calls `run` once typing rests; `flush` runs what is pending at once, `cancel` drops it. */
export function useDebouncedCallback<A extends unknown[]>(run: (...args: A) => void, ms: number) {
  const latest = useRef(run)
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; args: A }>(undefined)
  useEffect(() => {
    latest.current = run
  })
  const cancel = useCallback(() => {
    clearTimeout(pending.current?.timer)
    pending.current = undefined
  }, [])
  const flush = useCallback(() => {
    const args = pending.current?.args
    cancel()
    if (args) latest.current(...args)
  }, [cancel])
  const call = useCallback(
    (...args: A) => {
      clearTimeout(pending.current?.timer)
      pending.current = { args, timer: setTimeout(flush, ms) }
    },
    [flush, ms],
  )
  useEffect(() => cancel, [cancel])
  return { call, flush, cancel }
}
