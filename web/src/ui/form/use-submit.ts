import { type FormEvent, useCallback, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

/**
 * Runs a save, keeps the form busy meanwhile, and holds what the server refused so that the form can show it. A save that
 * answers false saved nothing, though nobody refused it.
 */
export function useSubmit<V extends FieldValues>(form: UseFormReturn<V>, save: (values: V) => unknown) {
  const [error, setError] = useState<unknown>()
  const { handleSubmit, reset, getValues } = form
  const submit = useCallback(
    (event?: FormEvent) => {
      // A form in a popup or dialog bubbles through React's tree into the form around it.
      event?.preventDefault()
      event?.stopPropagation()
      return handleSubmit(async (values) => {
        setError(undefined)
        try {
          const saved = await save(values)
          // What was saved is the new starting point: nothing to guard any more.
          if (saved !== false) reset(getValues(), { keepValues: true })
        } catch (refused) {
          setError(refused)
        }
      })()
    },
    [handleSubmit, save, reset, getValues],
  )
  return { submit, error, clearError: () => setError(undefined), isBusy: form.formState.isSubmitting }
}

/** The words of a failure. */
export function errorText(error: unknown): string {
  if (error instanceof Error) return error.message
  return typeof error === 'string' ? error : 'Something went wrong'
}
