import { type ReactNode, useId } from 'react'
import { type FieldValues, get, type RegisterOptions, useController, useFormContext } from 'react-hook-form'
import { cn } from '@/lib/cn.ts'
import { type Limits, rulesOf } from './messages.ts'

/** What every field of a form takes. */
export interface FieldProps extends Limits {
  /** The path of the value in the form, e.g. `spec.url`. */
  name: string
  label?: string
  hint?: ReactNode
  placeholder?: string
  disabled?: boolean
  readOnly?: boolean
  className?: string
}

/** The ids and states that tie a control to its label, hint and error. */
export interface ControlAria {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
  'aria-required': true | undefined
}

export interface BoundField {
  value: unknown
  onChange: (value: unknown) => void
  onBlur: () => void
  /** For the element that takes the focus when the field is refused. */
  attach: (element: { focus?: () => void } | null) => void
  aria: ControlAria
  labelId: string
  error: string | undefined
}

/** Ties a field to the form around it. */
export function useField(props: FieldProps, check?: (value: unknown) => string | undefined): BoundField {
  const id = useId()
  const { field, fieldState } = useController<FieldValues>({
    name: props.name,
    rules: rulesOf(props, check) as Omit<RegisterOptions, 'disabled'> & object,
  })
  const error = fieldState.error?.message
  const described = [props.hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return {
    value: field.value,
    onChange: field.onChange,
    onBlur: field.onBlur,
    attach: field.ref,
    labelId: `${id}-label`,
    error,
    aria: {
      id,
      'aria-invalid': error ? true : undefined,
      'aria-describedby': described || undefined,
      'aria-required': props.required || undefined,
    },
  }
}

interface FrameProps {
  field: Omit<BoundField, 'attach'>
  props: FieldProps
  children: ReactNode
  /** Controls at the right of the label. */
  actions?: ReactNode
  /** The control is no input element, so the label names it by reference. */
  asGroup?: boolean
}

/** Label above, hint and error below; every field has this frame. */
export function FieldFrame({ field, props, children, actions, asGroup }: FrameProps) {
  const label = props.label ?? labelOf(props.name)
  const words = (
    <>
      {label}
      {props.required && (
        <span aria-hidden className="ml-0.5 text-bad-text">
          *
        </span>
      )}
    </>
  )
  return (
    <div
      role={asGroup ? 'group' : undefined}
      aria-labelledby={asGroup ? field.labelId : undefined}
      className={cn('flex min-w-0 flex-col gap-1', props.className)}
    >
      <div className="flex min-h-5 items-center justify-between gap-2">
        {asGroup ? (
          <span id={field.labelId} className="text-sm font-medium">
            {words}
          </span>
        ) : (
          <label id={field.labelId} htmlFor={field.aria.id} className="text-sm font-medium">
            {words}
          </label>
        )}
        {/* Taller than a label; without this the input beside one without actions would stand higher. */}
        {actions && <div className="-my-0.5 flex shrink-0 items-center gap-1">{actions}</div>}
      </div>
      {children}
      <FieldNotes field={field} hint={props.hint} />
    </div>
  )
}

export function FieldNotes({ field, hint }: { field: Omit<BoundField, 'attach'>; hint?: ReactNode }) {
  return (
    <>
      {hint && (
        <div id={`${field.aria.id}-hint`} className="text-xs text-muted">
          {hint}
        </div>
      )}
      {field.error && (
        <div id={`${field.aria.id}-error`} role="alert" className="text-xs text-bad-text">
          {field.error}
        </div>
      )}
    </>
  )
}

const acronyms = new Set('api aws cpu db dns gcp http id ip json ldap sql ssh ssl tls ttl url uri yaml'.split(' '))

/** A readable label for a path without one: spec.maxSSLExpiry → Max SSL expiry. */
export function labelOf(name: string): string {
  const last = name.split('.').at(-1) ?? name
  const words = last
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(' ')
    .map((word) =>
      acronyms.has(word.toLowerCase()) || /^[A-Z]{2,}$/.test(word) ? word.toUpperCase() : word.toLowerCase(),
    )
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The current values of the form around, for fields that depend on others. */
export function useFormValues(): FieldValues {
  return useFormContext().watch()
}

/** A value of a form by its path. */
export function valueAt(values: FieldValues, name: string): unknown {
  return get(values, name) as unknown
}
