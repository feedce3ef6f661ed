import { Eye, EyeOff } from 'lucide-react'
import { type HTMLInputTypeAttribute, useState } from 'react'
import { cn } from '@/lib/cn.ts'
import { Checkbox } from '../checkbox.tsx'
import { Combobox, MultiSelect, type RemoteOptions } from '../combobox.tsx'
import { Input } from '../input.tsx'
import type { Option } from '../option.ts'
import { Select } from '../select.tsx'
import { Switch } from '../switch.tsx'
import { Textarea } from '../textarea.tsx'
import { FieldFrame, FieldNotes, type FieldProps, labelOf, useField } from './field.tsx'
import { numberMessage } from './messages.ts'

const text = (value: unknown) => (value === undefined || value === null ? '' : String(value))

/** One line of text; `type` for email, url and the like. */
export function TextField({ type = 'text', ...props }: FieldProps & { type?: HTMLInputTypeAttribute }) {
  const { attach, ...field } = useField(props)
  return (
    <FieldFrame field={field} props={props}>
      <Input
        {...field.aria}
        ref={attach}
        type={type}
        value={text(field.value)}
        onChange={(event) => field.onChange(event.target.value)}
        onBlur={field.onBlur}
        placeholder={props.placeholder}
        disabled={props.disabled}
        readOnly={props.readOnly}
        autoComplete="off"
      />
    </FieldFrame>
  )
}

/** A number; what is no number stays visible and is refused. */
export function NumberField({ unit, ...props }: FieldProps & { unit?: string }) {
  const { attach, ...field } = useField(props, (value) => (typeof value === 'number' ? undefined : numberMessage))
  // "1." and "0.50" are on their way to a number; showing the number would eat what is typed.
  const [typed, setTyped] = useState<string>()
  const shown = typed !== undefined && Object.is(toNumber(typed), field.value) ? typed : text(field.value)
  return (
    <FieldFrame field={field} props={props}>
      <Input
        {...field.aria}
        ref={attach}
        inputMode="decimal"
        value={shown}
        onChange={(event) => {
          setTyped(event.target.value)
          field.onChange(toNumber(event.target.value))
        }}
        onBlur={field.onBlur}
        placeholder={props.placeholder}
        disabled={props.disabled}
        readOnly={props.readOnly}
        autoComplete="off"
        suffix={unit && <span className="shrink-0 text-xs text-subtle">{unit}</span>}
      />
    </FieldFrame>
  )
}

/** A number when the text is one, nothing when it is empty, else the text itself so that it can be shown and refused. */
export function toNumber(input: string): number | string | undefined {
  const trimmed = input.trim()
  if (trimmed === '') return undefined
  return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed
}

/** Several lines of text. */
export function TextareaField({ rows = 3, ...props }: FieldProps & { rows?: number }) {
  const { attach, ...field } = useField(props)
  return (
    <FieldFrame field={field} props={props}>
      <Textarea
        {...field.aria}
        ref={attach}
        rows={rows}
        value={text(field.value)}
        onChange={(event) => field.onChange(event.target.value)}
        onBlur={field.onBlur}
        placeholder={props.placeholder}
        disabled={props.disabled}
        readOnly={props.readOnly}
      />
    </FieldFrame>
  )
}

/** A text that is not shown while it is typed. */
export function PasswordField(props: FieldProps) {
  const { attach, ...field } = useField(props)
  return (
    <FieldFrame field={field} props={props}>
      <SecretInput
        {...field.aria}
        inputRef={attach}
        value={text(field.value)}
        onChange={field.onChange}
        onBlur={field.onBlur}
        placeholder={props.placeholder}
        disabled={props.disabled}
      />
    </FieldFrame>
  )
}

interface SecretInputProps {
  value: string
  onChange: (value: string) => void
  onBlur?: () => void
  inputRef?: React.Ref<HTMLInputElement>
  placeholder?: string
  disabled?: boolean
  id?: string
  'aria-label'?: string
}

/** A masked input with a button that shows what is typed. */
export function SecretInput({ value, onChange, inputRef, ...props }: SecretInputProps) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Input
      {...props}
      ref={inputRef}
      type={isShown ? 'text' : 'password'}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      // "off" is ignored for passwords; this keeps managers from filling in the user's own.
      autoComplete="new-password"
      spellCheck={false}
      suffix={
        <button
          type="button"
          aria-label={isShown ? 'Hide' : 'Show'}
          onClick={() => setShown(!isShown)}
          className="-mr-1 grid size-6 shrink-0 place-items-center rounded-sm text-subtle hover:text-fg"
        >
          <Icon size={15} aria-hidden />
        </button>
      }
    />
  )
}

/** A choice of a few. */
export function SelectField({ options, ...props }: FieldProps & { options: readonly Option[] }) {
  const field = useField(props)
  return (
    <FieldFrame field={field} props={props}>
      <Select
        {...field.aria}
        value={text(field.value) || null}
        onChange={field.onChange}
        options={options}
        placeholder={props.placeholder}
        disabled={props.disabled || props.readOnly}
      />
    </FieldFrame>
  )
}

/** A choice of many, by search; `creatable` also takes what is not in the list. */
export function ComboboxField({
  options,
  creatable,
  query,
  onQueryChange,
  isLoading,
  selected,
  ...props
}: FieldProps & RemoteOptions & { options: readonly Option[] | undefined; creatable?: boolean; selected?: Option }) {
  const field = useField(props)
  return (
    <FieldFrame field={field} props={props}>
      <Combobox
        {...field.aria}
        aria-labelledby={`${field.labelId} ${field.aria.id}`}
        value={text(field.value)}
        onChange={field.onChange}
        options={options}
        selected={selected}
        creatable={creatable}
        clearable={!props.required}
        placeholder={props.placeholder}
        disabled={props.disabled || props.readOnly}
        query={query}
        onQueryChange={onQueryChange}
        isLoading={isLoading}
      />
    </FieldFrame>
  )
}

/** Several of many; `creatable` makes it a field for tags. */
export function MultiField({
  options,
  creatable,
  ...props
}: FieldProps & { options: readonly Option[] | undefined; creatable?: boolean }) {
  const field = useField(props)
  return (
    <FieldFrame field={field} props={props}>
      <MultiSelect
        {...field.aria}
        aria-labelledby={`${field.labelId} ${field.aria.id}`}
        value={Array.isArray(field.value) ? field.value.map(String) : []}
        onChange={field.onChange}
        options={options}
        creatable={creatable}
        placeholder={props.placeholder}
        disabled={props.disabled || props.readOnly}
      />
    </FieldFrame>
  )
}

/** Free words, each added with Enter. */
export function TagsField(props: FieldProps) {
  return <MultiField placeholder="Type and press Enter" {...props} options={none} creatable />
}
const none: Option[] = []

/** Yes or no, as a box in a form. */
export function CheckboxField(props: FieldProps) {
  const field = useField(props)
  return (
    <div className={cn('flex flex-col gap-1', props.className)}>
      <Checkbox
        id={field.aria.id}
        aria-describedby={field.aria['aria-describedby']}
        checked={field.value === true}
        onCheckedChange={field.onChange}
        disabled={props.disabled || props.readOnly}
        label={props.label ?? labelOf(props.name)}
      />
      <FieldNotes field={field} hint={props.hint} />
    </div>
  )
}

/** Yes or no, as a switch. */
export function SwitchField(props: FieldProps) {
  const field = useField(props)
  return (
    <div className={cn('flex flex-col gap-1', props.className)}>
      <Switch
        id={field.aria.id}
        aria-describedby={field.aria['aria-describedby']}
        checked={field.value === true}
        onCheckedChange={field.onChange}
        disabled={props.disabled || props.readOnly}
        label={props.label ?? labelOf(props.name)}
      />
      <FieldNotes field={field} hint={props.hint} />
    </div>
  )
}
