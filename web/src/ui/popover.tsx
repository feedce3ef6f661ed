import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'

export interface PopoverProps {
  trigger: ReactElement
  children: ReactNode
  title?: ReactNode
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'right' | 'bottom' | 'left'
  className?: string
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

/** A small panel anchored to the button that opens it. */
export function Popover({
  trigger,
  children,
  title,
  align = 'start',
  side = 'bottom',
  className,
  open,
  onOpenChange,
}: PopoverProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange?.(next)}>
      <Base.Trigger render={trigger as ReactElement<Record<string, unknown>>} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} collisionPadding={8} className="z-60 outline-none">
          <Base.Popup
            className={cn(
              'popup max-h-[var(--available-height)] max-w-[min(800px,var(--available-width))] overflow-y-auto p-3',
              className,
            )}
          >
            {title && <Base.Title className="mb-2 text-sm font-semibold">{title}</Base.Title>}
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** Closes the popover it stands in. */
export const PopoverClose = Base.Close
