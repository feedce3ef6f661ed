import type { ReactNode } from 'react'

/** A key to press, e.g. in a menu or a hint. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid h-4.5 min-w-4.5 place-items-center rounded-sm border border-line bg-surface px-1 font-sans text-2xs text-muted">
      {children}
    </kbd>
  )
}
