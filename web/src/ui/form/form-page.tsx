import type { ReactNode } from 'react'
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form'
import { cn } from '@/lib/cn.ts'
import { FormActions, type FormActionsProps, FormError } from './form-parts.tsx'
import { useLeaveGuard } from './leave-guard.tsx'
import { useSubmit } from './use-submit.ts'

export interface FormPageProps<V extends FieldValues> extends Pick<
  FormActionsProps,
  'submitLabel' | 'isDisabled' | 'onDelete' | 'deleteTitle' | 'deleteText' | 'extra' | 'onCancel' | 'cancelLabel'
> {
  form: UseFormReturn<V>
  /** Answers false, or rejects, when nothing was saved. */
  onSubmit: (values: V) => unknown
  canSubmit?: boolean
  children: ReactNode
  className?: string
}

/** A form that is a page: its actions stay in view, and leaving with unsaved input asks first. */
export function FormPage<V extends FieldValues>({
  form,
  onSubmit,
  canSubmit = true,
  children,
  className,
  onDelete,
  ...actions
}: FormPageProps<V>) {
  const { submit, error, isBusy } = useSubmit(form, onSubmit)
  const guard = useLeaveGuard(form.formState.isDirty && !isBusy)
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className={cn('flex h-full min-h-0 flex-col', className)}>
        <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
          <FormError error={error} />
          {children}
        </div>
        {canSubmit && (
          <footer className="flex shrink-0 items-center gap-2 border-t border-line bg-surface px-4 py-3">
            <FormActions {...actions} onDelete={onDelete && guard.freely(onDelete)} isBusy={isBusy} />
          </footer>
        )}
      </form>
      {guard.dialog}
    </FormProvider>
  )
}
