import { type ReactNode, useEffect } from 'react'
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form'
import { useBlocker } from 'react-router'
import { cn } from '@/lib/cn.ts'
import { DiscardDialog, FormActions, type FormActionsProps, FormError } from './form-parts.tsx'
import { useSubmit } from './use-submit.ts'

export interface FormPageProps<V extends FieldValues> extends Pick<
  FormActionsProps,
  'submitLabel' | 'isDisabled' | 'onDelete' | 'deleteTitle' | 'deleteText' | 'extra' | 'onCancel' | 'cancelLabel'
> {
  form: UseFormReturn<V>
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
  ...actions
}: FormPageProps<V>) {
  const { submit, error, isBusy } = useSubmit(form, onSubmit)
  const guard = useDirtyGuard(form.formState.isDirty && !isBusy)
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className={cn('flex h-full min-h-0 flex-col', className)}>
        <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
          <FormError error={error} />
          {children}
        </div>
        {canSubmit && (
          <footer className="flex shrink-0 items-center gap-2 border-t border-line bg-surface px-4 py-3">
            <FormActions {...actions} isBusy={isBusy} />
          </footer>
        )}
      </form>
      {guard}
    </FormProvider>
  )
}

/** Asks before unsaved input is lost by going elsewhere in the console or leaving it. Needs a data router. */
export function useDirtyGuard(isDirty: boolean): ReactNode {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
  return (
    <DiscardDialog
      open={blocker.state === 'blocked'}
      onKeep={() => blocker.reset?.()}
      onDiscard={() => blocker.proceed?.()}
    />
  )
}
