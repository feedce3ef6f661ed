import { type ReactElement, useSyncExternalStore } from 'react'
import type { Tooltip } from '@/ui/tooltip.tsx'

// Placing popups is a large part of the kit. The shell's first paint does not need it, so it comes with the first page.
let Loaded: typeof Tooltip | undefined
const listeners = new Set<() => void>()

/** Loads the tooltips of the shell; called when the first page is on its way. */
export async function loadHints() {
  const module = await import('@/ui/tooltip.tsx')
  Loaded = module.Tooltip
  for (const listener of listeners) listener()
  return module
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A tooltip for the shell's own buttons; before tooltips have loaded, only the button. */
export function Hint({
  content,
  side,
  children,
}: {
  content?: string
  side?: 'right' | 'bottom'
  children: ReactElement
}) {
  const Shown = useSyncExternalStore(subscribe, () => Loaded)
  return Shown && content ? (
    <Shown content={content} side={side}>
      {children}
    </Shown>
  ) : (
    children
  )
}
