import { type ReactNode, useRef } from 'react'
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form'
import { Drawer, type DrawerProps } from '../drawer.tsx'
import { FormActions, type FormActionsProps, FormError } from './form-parts.tsx'
import { useLeaveGuard } from './leave-guard.tsx'
import { useSubmit } from './use-submit.ts'

export interface FormDrawerProps<V extends FieldValues>
  extends
    Pick<DrawerProps, 'title' | 'header' | 'size'>,
    Pick<FormActionsProps, 'submitLabel' | 'isDisabled' | 'onDelete' | 'deleteTitle' | 'deleteText' | 'extra'> {
  onClose: () => void
  form: UseFormReturn<V>
  /** A rejection is shown in the form; otherwise the caller closes the drawer, or answers false to go on editing. */
  onSubmit: (values: V) => unknown
  /** Replaces Cancel, e.g. Back to a type picker. */
  onCancel?: () => void
  cancelLabel?: string
  /** Without it the form is only shown. */
  canSubmit?: boolean
  /** Below the form when it is only shown. */
  footer?: ReactNode
  children: ReactNode
}

/** A form beside the list it belongs to: server errors inline, unsaved input guarded, actions always in view. */
export function FormDrawer<V extends FieldValues>({
  title,
  header,
  size = 'medium',
  onClose,
  form,
  onSubmit,
  onCancel,
  canSubmit = true,
  footer,
  onDelete,
  children,
  ...actions
}: FormDrawerProps<V>) {
  const content = useRef<HTMLDivElement>(null)
  const { submit, error, isBusy } = useSubmit(form, onSubmit)
  const guard = useLeaveGuard(form.formState.isDirty && !isBusy)
  return (
    <Drawer
      open
      onOpenChange={(open) => !open && !isBusy && guard.leave(onClose)}
      title={title}
      header={header}
      size={size}
      bodyClassName="flex flex-col p-0"
      initialFocus={() => content.current?.querySelector<HTMLElement>('input:not([readonly]), textarea')}
    >
      <FormProvider {...form}>
        <form noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
          <div ref={content} className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-5 py-4">
            <FormError error={error} />
            {children}
          </div>
          {(canSubmit || footer) && (
            <footer className="flex shrink-0 flex-wrap items-center gap-2 border-t border-line px-5 py-3">
              {canSubmit ? (
                <FormActions
                  {...actions}
                  isBusy={isBusy}
                  onCancel={() => guard.leave(onCancel ?? onClose)}
                  onDelete={onDelete && guard.freely(onDelete)}
                />
              ) : (
                footer
              )}
            </footer>
          )}
        </form>
      </FormProvider>
      {guard.dialog}
    </Drawer>
  )
}
