import { CircleAlert, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../button.tsx'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { errorText } from './use-submit.ts'

/** What the server refused, inside the form. */
export function FormError({ error }: { error: unknown }) {
  if (error === undefined || error === null) return null
  return (
    <div role="alert" className="flex items-start gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad-text">
      <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
      <span className="min-w-0 break-words whitespace-pre-wrap">{errorText(error)}</span>
    </div>
  )
}

export interface FormActionsProps {
  /** Save for something new, Update for something that exists. */
  submitLabel?: string
  isBusy: boolean
  isDisabled?: boolean
  onCancel?: () => void
  cancelLabel?: string
  onDelete?: () => unknown
  /** What is deleted, for the question: "Delete connection prod?" */
  deleteTitle?: string
  deleteText?: ReactNode
  extra?: ReactNode
}

/** Delete at the left, then Cancel and Save at the right; every form ends like this. */
export function FormActions({
  submitLabel = 'Save',
  isBusy,
  isDisabled,
  onCancel,
  cancelLabel = 'Cancel',
  onDelete,
  deleteTitle = 'Delete this?',
  deleteText,
  extra,
}: FormActionsProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      {onDelete && (
        <>
          <Button
            icon={Trash2}
            variant="ghost"
            className="-ml-3 text-bad-text hover:text-bad-text"
            disabled={isBusy}
            onClick={() => setAsking(true)}
          >
            Delete
          </Button>
          <ConfirmDialog
            open={isAsking}
            onOpenChange={setAsking}
            title={deleteTitle}
            confirmLabel="Delete"
            onConfirm={onDelete}
          >
            {deleteText}
          </ConfirmDialog>
        </>
      )}
      {extra}
      <span className="ml-auto flex gap-2">
        {onCancel && (
          <Button disabled={isBusy} onClick={onCancel}>
            {cancelLabel}
          </Button>
        )}
        <Button type="submit" variant="primary" loading={isBusy} disabled={isDisabled}>
          {submitLabel}
        </Button>
      </span>
    </>
  )
}

/** Asks before entered data is thrown away. */
export function DiscardDialog({
  open,
  onKeep,
  onDiscard,
}: {
  open: boolean
  onKeep: () => void
  onDiscard: () => void
}) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onKeep()}
      title="Discard changes?"
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={onDiscard}
    >
      What you entered has not been saved.
    </ConfirmDialog>
  )
}
