import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'
import { isToastPress } from './dialog.tsx'
import { IconButton } from './icon-button.tsx'

const widths = {
  small: 'max-w-md',
  medium: 'max-w-2xl',
  large: 'max-w-5xl',
  full: 'sm:max-w-[min(1600px,calc(100vw-3rem))]',
}

export interface DrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The accessible name; a string also becomes the heading. */
  title: ReactNode
  /** Replaces the plain heading row, e.g. icon, name and badges. */
  header?: ReactNode
  size?: keyof typeof widths
  side?: 'left' | 'right'
  children?: ReactNode
  footer?: ReactNode
  bodyClassName?: string
  /** What has the focus first; the close button unless given. */
  initialFocus?: () => HTMLElement | null | undefined
}

/** A panel that slides in from the side over the page; Esc and a click beside it close it. */
export function Drawer({
  open,
  onOpenChange,
  title,
  header,
  size = 'medium',
  side = 'right',
  children,
  footer,
  bodyClassName,
  initialFocus,
}: DrawerProps) {
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, details) => (isToastPress(next, details) ? details.cancel() : onOpenChange(next))}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-overlay transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          initialFocus={initialFocus && (() => initialFocus() ?? true)}
          className={cn(
            'fixed inset-y-0 z-40 flex w-full flex-col bg-raised shadow-dialog outline-none transition-transform duration-200 ease-out',
            side === 'right'
              ? 'right-0 border-l border-line data-ending-style:translate-x-full data-starting-style:translate-x-full'
              : 'left-0 border-r border-line data-ending-style:-translate-x-full data-starting-style:-translate-x-full',
            widths[size],
          )}
        >
          <header className="flex min-h-13 shrink-0 items-center gap-3 border-b border-line py-2 pr-3 pl-5">
            <Base.Title
              render={header ? <div /> : undefined}
              className={cn('min-w-0 flex-1', !header && 'truncate text-base font-semibold')}
            >
              {header ?? title}
            </Base.Title>
            <Base.Close render={<IconButton icon={X} label="Close" tooltip={false} />} />
          </header>
          <div className={cn('min-h-0 flex-1 overflow-y-auto px-5 py-4', bodyClassName)}>{children}</div>
          {footer && (
            <footer className="flex shrink-0 items-center gap-2 border-t border-line px-5 py-3">{footer}</footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
