import { useState } from 'react'
import { Input } from '../input.tsx'
import { Select } from '../select.tsx'
import { Textarea } from '../textarea.tsx'
import { SecretInput } from './basic-fields.tsx'
import { FieldFrame, type FieldProps, labelOf, useField } from './field.tsx'
import { requiredMessage } from './messages.ts'
import {
  emptySecret,
  formatEnvVar,
  formatSecretText,
  isIncomplete,
  parseEnvVar,
  parseSecretText,
  type SecretSource,
  type SecretValue,
} from './secrets.ts'

const sources = [
  { value: 'static', label: 'Value' },
  { value: 'secret', label: 'Secret' },
  { value: 'configmap', label: 'Config map' },
] satisfies { value: SecretSource; label: string }[]

export interface SecretFieldProps extends FieldProps {
  /** text: secret://name/key, as connections store it; env: value or valueFrom, as specs do. */
  format?: 'text' | 'env'
  multiline?: boolean
  /** Shows the static value, for fields that may but need not be secret. */
  plain?: boolean
}

/** A value that may be secret: entered here (masked), or taken from a key of a secret or config map. */
export function SecretField({ format = 'text', multiline, plain, ...props }: SecretFieldProps) {
  const parse = format === 'text' ? parseSecretText : parseEnvVar
  const write = format === 'text' ? formatSecretText : formatEnvVar
  const { attach, ...field } = useField(props, (value) => {
    const secret = parse(value)
    return isIncomplete(secret) && (props.required || secret.source !== 'static') ? requiredMessage : undefined
  })
  const stored = parse(field.value)
  // An empty static value has no trace of its source in the env form, so the choice is kept here.
  const [chosen, setChosen] = useState<SecretSource>()
  const secret = chosen && chosen !== stored.source && isIncomplete(stored) ? emptySecret(chosen) : stored
  const change = (next: SecretValue) => field.onChange(write(next))
  const label = props.label ?? labelOf(props.name)
  return (
    <FieldFrame
      field={field}
      props={props}
      actions={
        <Select
          aria-label={`${label}: source`}
          className="h-6 w-auto border-transparent bg-transparent! px-1.5 text-xs text-muted"
          value={secret.source}
          onChange={(source) => {
            setChosen(source)
            // What was entered for one source means nothing for another.
            if (source !== secret.source) change(emptySecret(source))
          }}
          options={sources}
          disabled={props.disabled || props.readOnly}
        />
      }
    >
      {secret.source === 'static' ? (
        multiline || plain ? (
          <StaticText
            {...{ multiline, field, attach, props, value: secret.value }}
            onChange={(value) => change({ source: 'static', value })}
          />
        ) : (
          <SecretInput
            {...field.aria}
            inputRef={attach}
            value={secret.value}
            onChange={(value) => change({ source: 'static', value })}
            onBlur={field.onBlur}
            placeholder={props.placeholder}
            disabled={props.disabled || props.readOnly}
          />
        )
      ) : (
        <div className="flex gap-2">
          <Input
            {...field.aria}
            ref={attach}
            aria-label={`${label}: name`}
            placeholder="Name"
            value={secret.name}
            onChange={(event) => change({ ...secret, name: event.target.value })}
            onBlur={field.onBlur}
            disabled={props.disabled}
            readOnly={props.readOnly}
          />
          <Input
            aria-label={`${label}: key`}
            placeholder="Key"
            value={secret.key}
            onChange={(event) => change({ ...secret, key: event.target.value })}
            onBlur={field.onBlur}
            disabled={props.disabled}
            readOnly={props.readOnly}
          />
        </div>
      )}
    </FieldFrame>
  )
}

interface StaticTextProps {
  multiline?: boolean
  field: Omit<ReturnType<typeof useField>, 'attach'>
  attach: ReturnType<typeof useField>['attach']
  props: FieldProps
  value: string
  onChange: (value: string) => void
}

function StaticText({ multiline, field, attach, props, value, onChange }: StaticTextProps) {
  const shared = {
    ...field.aria,
    ref: attach,
    value,
    onBlur: field.onBlur,
    placeholder: props.placeholder,
    disabled: props.disabled,
    readOnly: props.readOnly,
  }
  if (multiline)
    return (
      <Textarea
        {...shared}
        spellCheck={false}
        className="font-mono text-xs"
        onChange={(event) => onChange(event.target.value)}
      />
    )
  return <Input {...shared} autoComplete="off" onChange={(event) => onChange(event.target.value)} />
}
