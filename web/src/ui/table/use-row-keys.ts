import { type KeyboardEvent, useEffect, useRef } from 'react'

export interface RowKeys {
  count: number
  active: number
  move: (index: number) => void
  open: (index: number) => void
  /** Expands (true) or collapses (false) a row of a tree. */
  expand: (index: number, open: boolean) => void
}

/** Handles a key of a table; true when it meant something. */
export function handleRowKey(key: string, { count, active, move, open, expand }: RowKeys): boolean {
  const to = (index: number) => (move(Math.max(0, Math.min(index, count - 1))), true)
  if (count === 0) return false
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return to(active + 1)
    case 'k':
    case 'ArrowUp':
      return to(active - 1)
    case 'Home':
      return to(0)
    case 'End':
      return to(count - 1)
    case 'PageDown':
      return to(active + 15)
    case 'PageUp':
      return to(active - 15)
    case 'ArrowRight':
      return (expand(active, true), true)
    case 'ArrowLeft':
      return (expand(active, false), true)
    case 'Enter':
      return (open(active), true)
    default:
      return false
  }
}

// With nothing focused, j and k start in the table that was mounted last: the page's main one, or that of a drawer.
const mounted: { current: RowKeys; enabled: boolean }[] = []
let isListening = false

function listen() {
  if (isListening) return
  isListening = true
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !/^[jk]$/.test(event.key)) return
    if (document.activeElement && document.activeElement !== document.body) return
    const keys = mounted.findLast((each) => each.enabled)?.current
    if (!keys || keys.count === 0) return
    keys.move(Math.max(0, keys.active))
    event.preventDefault()
  })
}

/** Gives a table its keys: j, k, arrows, Home, End, Enter; returns the handler for its scroll box. */
export function useRowKeys(keys: RowKeys, enabled: boolean) {
  const entry = useRef({ current: keys, enabled })
  useEffect(() => {
    entry.current.current = keys
    entry.current.enabled = enabled
  })
  useEffect(() => {
    const mine = entry.current
    mounted.push(mine)
    listen()
    return () => void mounted.splice(mounted.indexOf(mine), 1)
  }, [])
  return (event: KeyboardEvent<HTMLElement>) => {
    if (!enabled || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    // Keys typed into a control of a row belong to that control.
    if (!(event.target as HTMLElement).matches('tr,[data-table]')) return
    if (handleRowKey(event.key, keys)) event.preventDefault()
  }
}
