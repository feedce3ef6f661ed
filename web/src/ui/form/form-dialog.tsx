import type { ReactNode } from 'react'
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form'
import { Dialog, type DialogSize } from '../dialog.tsx'
import { FormActions, type FormActionsProps, FormError } from './form-parts.tsx'
import { useLeaveGuard } from './leave-guard.tsx'
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
  /** A rejection is shown in the form; otherwise the caller closes the dialog, or answers false to go on editing. */
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
  onDelete,
  children,
  ...actions
}: FormDialogProps<V>) {
  const { submit, error, isBusy } = useSubmit(form, onSubmit)
  const { isDirty } = form.formState
  const guard = useLeaveGuard(isDirty && !isBusy)
  const close = () => guard.leave(() => onOpenChange(false))
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? onOpenChange(true) : !isBusy && close())}
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
              <FormActions
                {...actions}
                isBusy={isBusy}
                onCancel={onCancel ? () => guard.leave(onCancel) : close}
                onDelete={onDelete && guard.freely(onDelete)}
              />
            </footer>
          )}
        </form>
      </FormProvider>
      {guard.dialog}
    </Dialog>
  )
}
