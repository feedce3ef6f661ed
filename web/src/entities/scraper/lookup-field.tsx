import { useState } from 'react'
import { custom, type FieldOptions, type FieldSpec } from '@/ui/form/declare.ts'
import { FieldFrame, type FieldProps, labelOf, useField } from '@/ui/form/field.tsx'
import { Input } from '@/ui/input.tsx'
import { Select } from '@/ui/select.tsx'

const sources = [
  { value: 'value', label: 'Text' },
  { value: 'label', label: 'Label' },
  { value: 'expr', label: 'CEL' },
] as const
type Source = (typeof sources)[number]['value']

const isObject = (value: unknown): value is Partial<Record<Source, string>> =>
  typeof value === 'object' && value !== null

/** A value of another item: a text, a label of this item, or an expression over it. */
function LookupField(props: FieldProps) {
  const { attach, ...field } = useField(props)
  const value = isObject(field.value) ? field.value : { value: typeof field.value === 'string' ? field.value : '' }
  const written = sources.find((source) => value[source.value])?.value
  const [chosen, setChosen] = useState<Source>('value')
  const source = written ?? chosen
  const write = (to: Source, text: string) => field.onChange(text === '' ? undefined : { [to]: text })
  return (
    <FieldFrame
      field={field}
      props={props}
      actions={
        <Select
          aria-label={`${props.label ?? labelOf(props.name)}: source`}
          className="h-6 w-auto border-transparent bg-transparent! px-1.5 text-xs text-muted"
          value={source}
          options={sources}
          disabled={props.readOnly}
          onChange={(next) => {
            setChosen(next)
            if (written) write(next, value[written] ?? '')
          }}
        />
      }
    >
      <Input
        {...field.aria}
        ref={attach}
        value={value[source] ?? ''}
        placeholder={props.placeholder}
        readOnly={props.readOnly}
        autoComplete="off"
        onBlur={field.onBlur}
        onChange={(event) => write(source, event.target.value)}
      />
    </FieldFrame>
  )
}

export const lookup = (name: string, options: FieldOptions = {}): FieldSpec =>
  custom(name, { ...options, render: (field) => <LookupField {...(field as FieldProps)} /> })
