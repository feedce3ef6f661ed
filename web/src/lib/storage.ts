import { useCallback, useRef, useSyncExternalStore } from 'react'

type Area = 'local' | 'session'

// Reading the property alone throws when a browser blocks site data.
function open(area: Area): Storage | undefined {
  try {
    return area === 'local' ? window.localStorage : window.sessionStorage
  } catch {
    return undefined
  }
}

const changes = new EventTarget()

/** A stored JSON value, or undefined when there is none, it is damaged, or storage is blocked. */
export function readStored<T>(key: string, area: Area = 'local'): T | undefined {
  try {
    const text = open(area)?.getItem(key)
    return text === null || text === undefined ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

/** Stores a JSON value; undefined removes it. A full or blocked storage is ignored: preferences are not worth an error. */
export function writeStored(key: string, value: unknown, area: Area = 'local'): void {
  try {
    if (value === undefined) open(area)?.removeItem(key)
    else open(area)?.setItem(key, JSON.stringify(value))
  } catch {
    return
  }
  changes.dispatchEvent(new Event(`${area}:${key}`))
}

/** A preference kept in storage and shared by every component and tab that reads the same key. */
export function useStored<T>(key: string, fallback: T, area: Area = 'local'): [T, (value: T | undefined) => void] {
  const cache = useRef<{ text: string | null; value: T }>(undefined)
  const subscribe = useCallback(
    (listener: () => void) => {
      const onStorage = (event: StorageEvent) => (event.key === key || event.key === null) && listener()
      changes.addEventListener(`${area}:${key}`, listener)
      window.addEventListener('storage', onStorage)
      return () => {
        changes.removeEventListener(`${area}:${key}`, listener)
        window.removeEventListener('storage', onStorage)
      }
    },
    [area, key],
  )
  const value = useSyncExternalStore(subscribe, () => {
    let text: string | null = null
    try {
      text = open(area)?.getItem(key) ?? null
    } catch {
      // Blocked storage reads as empty.
    }
    if (cache.current?.text !== text || !cache.current)
      cache.current = { text, value: readStored<T>(key, area) ?? fallback }
    return cache.current.value
  })
  return [value, useCallback((next: T | undefined) => writeStored(key, next, area), [area, key])]
}
