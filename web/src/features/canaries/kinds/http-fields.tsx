import { useState } from 'react'
import { get, useFormContext } from 'react-hook-form'
import { MultiSelect } from '@/ui/combobox.tsx'
import { custom } from '@/ui/form/declare.ts'
import { FieldFrame, type FieldProps, useField } from '@/ui/form/field.tsx'
import { SecretField } from '@/ui/form/secret-field.tsx'
import { toOptions } from '@/ui/option.ts'
import { Segmented } from '@/ui/segmented.tsx'

export const responseCodeChoices = [200, 201, 202, 204, 301, 302, 401, 404, 500, 502, 503]
const codeOptions = toOptions(responseCodeChoices.map(String))

/** Status codes as numbers; others than those offered can be typed. */
export function ResponseCodesField(props: FieldProps) {
  const field = useField(props, (value) =>
    (value as unknown[]).every((code) => Number.isInteger(code) && (code as number) >= 100 && (code as number) <= 599)
      ? undefined
      : 'Response codes are numbers from 100 to 599',
  )
  return (
    <FieldFrame field={field} props={props}>
      <MultiSelect
        {...field.aria}
        aria-labelledby={`${field.labelId} ${field.aria.id}`}
        value={Array.isArray(field.value) ? field.value.map(String) : []}
        onChange={(codes) => field.onChange(codes.map((code) => (/^\d+$/.test(code) ? Number(code) : code)))}
        options={codeOptions}
        creatable
        placeholder="Any 2xx"
        disabled={props.readOnly}
      />
    </FieldFrame>
  )
}

const modes = [
  { value: 'none', label: 'None' },
  { value: 'basic', label: 'Basic' },
  { value: 'ntlm', label: 'NTLM' },
  { value: 'ntlmv2', label: 'NTLMv2' },
] as const
type Mode = (typeof modes)[number]['value']

/** Which sign-in a spec asks for; credentials without a word about NTLM are basic. */
export function authMode(check: Record<string, unknown> | undefined): Mode {
  if (check?.ntlmv2) return 'ntlmv2'
  if (check?.ntlm) return 'ntlm'
  return check?.username || check?.password ? 'basic' : 'none'
}

/** Sign-in of an http check: one choice that writes ntlm, ntlmv2, username and password of the check around it. */
function AuthField({ name, readOnly }: FieldProps) {
  const { setValue, watch } = useFormContext()
  const prefix = name.slice(0, name.lastIndexOf('.'))
  const stored = authMode(get(watch(), prefix) as Record<string, unknown> | undefined)
  const [chosen, setChosen] = useState<Mode>(stored)
  // Basic without credentials yet has no trace in the spec.
  const mode = stored === 'none' && chosen === 'basic' ? 'basic' : stored
  const set = (key: string, value: unknown) => setValue(`${prefix}.${key}`, value, { shouldDirty: true })
  return (
    <div className="col-span-full grid gap-4 sm:grid-cols-2">
      <div className="col-span-full flex flex-col gap-1">
        <span className="text-sm font-medium">Authentication</span>
        <Segmented
          aria-label="Authentication"
          className="self-start"
          value={mode}
          options={modes.map((each) => ({ ...each, disabled: readOnly }))}
          onChange={(next) => {
            setChosen(next)
            set('ntlm', next === 'ntlm' ? true : undefined)
            set('ntlmv2', next === 'ntlmv2' ? true : undefined)
            if (next !== 'none') return
            set('username', undefined)
            set('password', undefined)
          }}
        />
      </div>
      {mode !== 'none' && (
        <>
          <SecretField name={`${prefix}.username`} label="Username" format="env" plain readOnly={readOnly} />
          <SecretField name={`${prefix}.password`} label="Password" format="env" readOnly={readOnly} />
        </>
      )}
    </div>
  )
}

export const responseCodes = (name: string) =>
  custom(name, { render: (field) => <ResponseCodesField {...(field as FieldProps)} /> })
export const authentication = custom('authentication', {
  wide: true,
  render: (field) => <AuthField {...(field as FieldProps)} />,
})
