import { CircleAlert, CircleCheck, Info, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { cn } from '@/lib/cn.ts'

export type ToastTone = 'success' | 'error' | 'info'
interface Toast {
  id: number
  tone: ToastTone
  message: ReactNode
}

/** How long a toast stays; the clock stops while it is hovered or focused. */
export const toastDuration = 5000
const most = 5

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()

function set(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function show(tone: ToastTone, message: ReactNode) {
  const id = nextId++
  // The same words twice would only push older news off the screen.
  set([{ id, tone, message }, ...toasts.filter((t) => t.message !== message || t.tone !== tone)].slice(0, most))
  return id
}

/** Short news at the top right: `toast.success('Agent created')`. Callable from anywhere. */
export const toast = {
  success: (message: ReactNode) => show('success', message),
  error: (message: ReactNode) => show('error', message),
  info: (message: ReactNode) => show('info', message),
  dismiss: (id: number) => set(toasts.filter((t) => t.id !== id)),
  clear: () => set([]),
}

const icons = { success: CircleCheck, error: CircleAlert, info: Info }
const colours = { success: 'text-ok', error: 'text-bad', info: 'text-accent-text' }

/** Where toasts appear; the shell renders it once. */
export function Toaster() {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => toasts,
  )
  return createPortal(
    <section
      aria-label="Notifications"
      // Dialogs hide everything outside them from screen readers, except live regions.
      aria-live="polite"
      data-toaster
      // Below the header, whose buttons must stay in reach.
      className="pointer-events-none fixed top-14 right-3 z-80 flex w-[min(380px,calc(100vw-1.5rem))] flex-col gap-2"
    >
      {current.map((item) => (
        <ToastCard key={item.id} {...item} />
      ))}
    </section>,
    document.body,
  )
}

function ToastCard({ id, tone, message }: Toast) {
  const [held, setHeld] = useState(false)
  const left = useRef(toastDuration)
  useEffect(() => {
    if (held) return
    const started = Date.now()
    const timer = setTimeout(() => toast.dismiss(id), left.current)
    return () => {
      clearTimeout(timer)
      left.current = Math.max(1000, left.current - (Date.now() - started))
    }
  }, [held, id])
  const Icon = icons[tone]
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="popup pointer-events-auto flex animate-enter items-start gap-2.5 py-2.5 pr-2 pl-3 text-sm"
    >
      <Icon size={17} aria-hidden className={cn('mt-0.5 shrink-0', colours[tone])} />
      <div className="max-h-40 min-w-0 flex-1 overflow-y-auto py-px break-words">{message}</div>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => toast.dismiss(id)}
        className="grid size-6 shrink-0 place-items-center rounded-sm text-subtle hover:bg-hover hover:text-fg"
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  )
}
