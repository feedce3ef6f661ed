import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'
import { IconButton } from './icon-button.tsx'

/** Widest a dialog of each size gets; on smaller windows it keeps a margin. */
export const dialogWidths = { 'very-small': 480, small: 768, medium: 1024, large: 1280, full: 1600 } as const
export type DialogSize = keyof typeof dialogWidths

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  size?: DialogSize
  children?: ReactNode
  /** Buttons, right-aligned; the main action last. */
  footer?: ReactNode
  /** Clicking beside the dialog closes it; off for forms with input. */
  dismissable?: boolean
  bodyClassName?: string
  /** Extra controls left of the close button. */
  actions?: ReactNode
}

/** A modal window that traps focus, gives it back on close, and closes with Esc. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  size = 'small',
  children,
  footer,
  dismissable = true,
  bodyClassName,
  actions,
}: DialogProps) {
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, details) => (isToastPress(next, details) ? details.cancel() : onOpenChange(next))}
      disablePointerDismissal={!dismissable}
    >
      <Base.Portal>
        {/* Over another dialog or a drawer too, which would stay bright otherwise. */}
        <Base.Backdrop
          forceRender
          className="fixed inset-0 z-50 bg-overlay transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <Base.Popup
          data-size={size}
          style={{ maxWidth: `min(${dialogWidths[size]}px, calc(100vw - 2rem))` }}
          className={cn(
            'fixed top-[max(1rem,8vh)] left-1/2 z-50 flex w-full -translate-x-1/2 flex-col rounded-xl border border-line bg-raised shadow-dialog outline-none',
            'transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0',
            size === 'full' ? 'top-4 h-[calc(100dvh-2rem)]' : 'max-h-[calc(100dvh-max(2rem,12vh))]',
          )}
        >
          <header className="flex min-h-13 shrink-0 items-center gap-3 border-b border-line py-2.5 pr-3 pl-5">
            <div className="min-w-0 flex-1">
              <Base.Title className="text-base font-semibold break-words">{title}</Base.Title>
              {description && <Base.Description className="text-sm text-muted">{description}</Base.Description>}
            </div>
            {actions}
            <Base.Close render={<IconButton icon={X} label="Close" tooltip={false} />} />
          </header>
          <div className={cn('min-h-0 flex-1 overflow-y-auto px-5 py-4', bodyClassName)}>{children}</div>
          {footer && (
            <footer className="flex shrink-0 items-center justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
            </footer>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Dismissing a toast must not close the dialog below it. */
export function isToastPress(next: boolean, details: { reason: string; event: Event }) {
  const { target } = details.event
  return !next && details.reason === 'outside-press' && target instanceof Element && !!target.closest('[data-toaster]')
}

/** A button inside a dialog that closes it. */
export const DialogClose = Base.Close
