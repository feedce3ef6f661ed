import { useSyncExternalStore } from 'react'
import { cn } from '@/lib/cn.ts'
import type * as IconSet from './icon-set.tsx'
import { resolveIcon } from './resolve.ts'

let set: typeof IconSet | undefined
let isLoading = false
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  if (!set && !isLoading) {
    isLoading = true
    void import('./icon-set.tsx').then((loaded) => {
      set = loaded
      for (const each of listeners) each()
    })
  }
  return () => listeners.delete(listener)
}

export interface IconProps {
  /** A name from the data: an icon string, a check kind, a config type. */
  name: string | null | undefined
  /** Used when the name says nothing, e.g. the type of something whose icon field is free text. */
  fallback?: string | null
  size?: number
  className?: string
}

/** The icon of a name in the data. Unknown names get their first letter; the place is kept while the set loads. */
export function Icon({ name, fallback, size = 16, className }: IconProps) {
  const icons = useSyncExternalStore(subscribe, () => set)
  const known = resolveIcon(name) ?? resolveIcon(fallback)
  const letter = [...(name || fallback || '')].find((c) => /[\p{L}\p{N}]/u.test(c))?.toUpperCase()
  return (
    <span
      aria-hidden
      title={name ?? undefined}
      className={cn('inline-grid shrink-0 place-items-center text-muted', className)}
      style={{ width: size, height: size }}
    >
      {known
        ? icons?.draw(known, size)
        : letter && (
            <span
              className="grid size-full place-items-center rounded-sm bg-chip font-semibold"
              style={{ fontSize: size * 0.6, lineHeight: 1 }}
            >
              {letter}
            </span>
          )}
    </span>
  )
}
