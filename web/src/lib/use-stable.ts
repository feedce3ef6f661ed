import { useCallback, useEffect, useRef } from 'react'

/** A function that stays the same between renders and always does what the newest one does; for handlers only. */
export function useStable<A extends unknown[], R>(run: (...args: A) => R): (...args: A) => R {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  return useCallback((...args: A) => latest.current(...args), [])
}
