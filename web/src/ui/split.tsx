import { type ReactNode, useRef } from 'react'
import { cn } from '@/lib/cn.ts'
import { useStored } from '@/lib/storage.ts'

export interface SplitProps {
  /** The part that takes what is left. */
  children: ReactNode
  panel: ReactNode
  side?: 'left' | 'right'
  /** Under this key the width is remembered. */
  storageKey?: string
  defaultWidth?: number
  minWidth?: number
  maxWidth?: number
  label?: string
  className?: string
}

/** A page with a side panel whose width can be dragged, or changed with the arrow keys; narrow windows stack them. */
export function Split({
  children,
  panel,
  side = 'right',
  storageKey = 'split',
  defaultWidth = 320,
  minWidth = 200,
  maxWidth = 720,
  label = 'Resize panel',
  className,
}: SplitProps) {
  const [stored, setStored] = useStored(`quarterdeck.split.${storageKey}`, defaultWidth)
  const width = clamp(stored)
  const box = useRef<HTMLDivElement>(null)
  function clamp(value: number) {
    return Math.round(Math.min(maxWidth, Math.max(minWidth, Number.isFinite(value) ? value : defaultWidth)))
  }

  const handle = (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width}
      aria-valuemin={minWidth}
      aria-valuemax={maxWidth}
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId) || !box.current) return
        const bounds = box.current.getBoundingClientRect()
        setStored(clamp(side === 'right' ? bounds.right - event.clientX : event.clientX - bounds.left))
      }}
      onDoubleClick={() => setStored(undefined)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -16, ArrowRight: 16 }[event.key]
        if (by) setStored(clamp(width + (side === 'right' ? -by : by)))
      }}
      className="relative z-10 -mx-1 hidden w-2 shrink-0 cursor-col-resize touch-none before:absolute before:inset-y-0 before:left-1/2 before:w-px before:bg-line hover:before:w-0.5 hover:before:bg-accent focus-visible:before:bg-accent md:block"
    />
  )
  const aside = (
    <aside
      style={{ ['--panel' as string]: `${width}px` }}
      className="min-h-0 w-full shrink-0 overflow-y-auto md:w-(--panel)"
    >
      {panel}
    </aside>
  )
  return (
    <div ref={box} className={cn('flex min-h-0 min-w-0 flex-col md:flex-row', className)}>
      {side === 'left' && (
        <>
          {aside}
          {handle}
        </>
      )}
      <div className="min-h-0 min-w-0 flex-1 overflow-y-auto">{children}</div>
      {side === 'right' && (
        <>
          {handle}
          {aside}
        </>
      )}
    </div>
  )
}
