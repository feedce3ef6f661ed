import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

export interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  /** What happens, and whether it can be undone. */
  children?: ReactNode
  /** The verb, e.g. "Delete agent". */
  confirmLabel: string
  cancelLabel?: string
  tone?: 'danger' | 'primary'
  /** The dialog stays open and busy until this settles; a rejection keeps it open. */
  onConfirm: () => unknown
}

/** Asks before something that is hard to undo. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  confirmLabel,
  cancelLabel = 'Cancel',
  tone = 'danger',
  onConfirm,
}: ConfirmDialogProps) {
  const [busy, setBusy] = useState(false)

  async function confirm() {
    setBusy(true)
    try {
      await onConfirm()
      onOpenChange(false)
    } catch {
      // The caller reports the failure; the question stays so that it can be tried again.
    } finally {
      setBusy(false)
    }
  }

  return (
    <Base.Root open={open} onOpenChange={(next) => !busy && onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop
          forceRender
          className="fixed inset-0 z-50 bg-overlay transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <Base.Popup className="fixed top-[18vh] left-1/2 z-50 w-full max-w-[min(440px,calc(100vw-2rem))] -translate-x-1/2 rounded-xl border border-line bg-raised p-5 shadow-dialog outline-none transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0">
          <Base.Title className="text-base font-semibold">{title}</Base.Title>
          {children && (
            <Base.Description render={<div />} className="mt-1.5 text-sm text-muted">
              {children}
            </Base.Description>
          )}
          <div className="mt-5 flex justify-end gap-2">
            <Base.Close render={<Button disabled={busy}>{cancelLabel}</Button>} />
            <Button variant={tone} loading={busy} onClick={confirm}>
              {confirmLabel}
            </Button>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
