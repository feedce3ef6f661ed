import { PreviewCard as Base } from '@base-ui/react/preview-card'
import type { ReactElement, ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'

/** Pointers must rest this long before a hover popover opens. */
export const hoverDelay = 1000

/** A panel with more about what the pointer rests on; it opens after a second. */
export function HoverCard({
  content,
  children,
  className,
  delay = hoverDelay,
}: {
  content: ReactNode
  children: ReactElement
  className?: string
  delay?: number
}) {
  return (
    <Base.Root>
      <Base.Trigger delay={delay} closeDelay={150} render={children as ReactElement<Record<string, unknown>>} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} collisionPadding={8} className="z-60">
          <Base.Popup
            className={cn(
              'popup max-h-[min(24rem,var(--available-height))] max-w-[min(480px,var(--available-width))] overflow-auto p-3 text-sm',
              className,
            )}
          >
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
