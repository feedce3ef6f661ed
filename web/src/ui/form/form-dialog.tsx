import { type ReactNode, useState } from 'react'
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form'
import { Dialog, type DialogSize } from '../dialog.tsx'
import { DiscardDialog, FormActions, type FormActionsProps, FormError } from './form-parts.tsx'
import { useSubmit } from './use-submit.ts'

export interface FormDialogProps<V extends FieldValues> extends Pick<
  FormActionsProps,
  'submitLabel' | 'isDisabled' | 'onDelete' | 'deleteTitle' | 'deleteText' | 'extra' | 'cancelLabel'
> {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  description?: ReactNode
  size?: DialogSize
  form: UseFormReturn<V>
  /** A rejection is shown in the form; otherwise the caller closes the dialog. */
  onSubmit: (values: V) => unknown
  /** Replaces Cancel, e.g. Back to a type picker. */
  onCancel?: () => void
  /** Without it the form is only shown. */
  canSubmit?: boolean
  children: ReactNode
}

/** A form in a dialog: server errors inline, unsaved input guarded, Save, Cancel and Delete in their places. */
export function FormDialog<V extends FieldValues>({
  open,
  onOpenChange,
  title,
  description,
  size = 'small',
  form,
  onSubmit,
  onCancel,
  canSubmit = true,
  children,
  ...actions
}: FormDialogProps<V>) {
  const [isLeaving, setLeaving] = useState(false)
  const { submit, error, isBusy } = useSubmit(form, onSubmit)
  const { isDirty } = form.formState
  const leave = () => (isDirty ? setLeaving(true) : onOpenChange(false))
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : !isBusy && leave())}
      title={title}
      description={description}
      size={size}
      dismissable={!isDirty}
      bodyClassName="flex flex-col p-0"
    >
      <FormProvider {...form}>
        <form noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
          <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-5 py-4">
            <FormError error={error} />
            {children}
          </div>
          {canSubmit && (
            <footer className="flex shrink-0 items-center gap-2 border-t border-line px-5 py-3">
              <FormActions {...actions} isBusy={isBusy} onCancel={onCancel ?? leave} />
            </footer>
          )}
        </form>
      </FormProvider>
      <DiscardDialog
        open={isLeaving}
        onKeep={() => setLeaving(false)}
        onDiscard={() => {
          setLeaving(false)
          onOpenChange(false)
        }}
      />
    </Dialog>
  )
}
