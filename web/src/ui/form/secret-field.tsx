import { useState } from 'react'
import { type FieldValues, useWatch } from 'react-hook-form'
import { Button } from '../button.tsx'
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
  referenceFault,
  type SecretSource,
  type SecretValue,
} from './secrets.ts'

const labels: Record<SecretSource, string> = {
  static: 'Value',
  secret: 'Secret',
  configmap: 'Config map',
  helm: 'Helm release',
  serviceaccount: 'Service account',
  env: 'Variable',
  file: 'File',
}
const usual = ['static', 'secret', 'configmap'] satisfies SecretSource[]
const namePlaceholders: Partial<Record<SecretSource, string>> = { env: 'NAME', file: '/run/secrets/name' }

export interface SecretFieldProps extends FieldProps {
  /** text: secret://name/key, as connections store it; env: value or valueFrom, as specs do. */
  format?: 'text' | 'env'
  multiline?: boolean
  /** Shows the static value, for fields that may but need not be secret. */
  plain?: boolean
  /** Where values may come from, beside what is stored already. */
  sources?: readonly SecretSource[]
  /** How a stored value looks that is not shown; it stays as it is until somebody replaces it. */
  hidden?: string
}

/** A value that may be secret: entered here (masked), or taken from a key of a secret or config map. */
export function SecretField(props: SecretFieldProps) {
  const value: unknown = useWatch<FieldValues>({ name: props.name })
  const [start] = useState(value)
  const isStored = props.hidden !== undefined && start === props.hidden
  if (isStored && value === props.hidden) return <StoredSecret {...props} />
  return <OpenSecret {...props} canKeep={isStored} />
}

/** Something is stored and nobody sees it again: it is kept, or replaced. */
function StoredSecret(props: SecretFieldProps) {
  const { attach, ...field } = useField(props)
  const label = props.label ?? labelOf(props.name)
  return (
    <FieldFrame
      field={field}
      props={props}
      actions={
        !(props.disabled || props.readOnly) && (
          <Button
            size="sm"
            variant="ghost"
            className="h-6"
            aria-label={`Replace ${label}`}
            onClick={() => field.onChange('')}
          >
            Replace
          </Button>
        )
      }
    >
      <Input {...field.aria} ref={attach} value="••••••••" readOnly title="A value is stored; it is not shown" />
    </FieldFrame>
  )
}

function OpenSecret({
  format = 'text',
  multiline,
  plain,
  sources = usual,
  hidden,
  canKeep,
  ...props
}: SecretFieldProps & { canKeep: boolean }) {
  const parse = format === 'text' ? parseSecretText : parseEnvVar
  const write = format === 'text' ? formatSecretText : formatEnvVar
  const { attach, ...field } = useField(props, (value) => {
    const secret = parse(value)
    if (isIncomplete(secret)) return props.required || secret.source !== 'static' ? requiredMessage : undefined
    return referenceFault(secret)
  })
  const stored = parse(field.value)
  // An empty static value has no trace of its source in the env form, so the choice is kept here.
  const [chosen, setChosen] = useState<SecretSource>()
  const secret = chosen && chosen !== stored.source && isIncomplete(stored) ? emptySecret(chosen) : stored
  const change = (next: SecretValue) => field.onChange(write(next))
  const label = props.label ?? labelOf(props.name)
  const offered = [...new Set([...sources, secret.source])]
  return (
    <FieldFrame
      field={field}
      props={props}
      actions={
        <>
          {canKeep && (
            <Button
              size="sm"
              variant="ghost"
              className="h-6"
              aria-label={`Keep stored ${label}`}
              onClick={() => field.onChange(hidden)}
            >
              Keep stored
            </Button>
          )}
          <Select
            aria-label={`${label}: source`}
            className="h-6 w-auto border-transparent bg-transparent! px-1.5 text-xs text-muted"
            value={secret.source}
            onChange={(source) => {
              setChosen(source)
              // What was entered for one source means nothing for another.
              if (source !== secret.source) change(emptySecret(source))
            }}
            options={offered.map((value) => ({ value, label: labels[value] }))}
            disabled={props.disabled || props.readOnly}
          />
        </>
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
            placeholder={namePlaceholders[secret.source] ?? 'Name'}
            value={secret.name}
            onChange={(event) => change({ ...secret, name: event.target.value })}
            onBlur={field.onBlur}
            disabled={props.disabled}
            readOnly={props.readOnly}
          />
          {'key' in secret && (
            <Input
              aria-label={`${label}: key`}
              placeholder="Key"
              value={secret.key}
              onChange={(event) => change({ ...secret, key: event.target.value })}
              onBlur={field.onBlur}
              disabled={props.disabled}
              readOnly={props.readOnly}
            />
          )}
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
