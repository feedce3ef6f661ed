import type { ComponentType } from 'react'
import { custom, type FieldOptions, type FieldSpec } from '@/ui/form/declare.ts'
import { FieldFrame, type FieldProps, useField } from '@/ui/form/field.tsx'
import {
  AgentPicker,
  CheckPicker,
  ComponentPicker,
  ConfigPicker,
  PersonPicker,
  type PickerProps,
  TeamPicker,
} from './pickers.tsx'
import type { Selector } from './resources.ts'

function PickerField({
  picker: Picker,
  selectors,
  ...props
}: FieldProps & {
  picker: ComponentType<PickerProps & { selectors?: readonly Selector[] }>
  selectors?: readonly Selector[]
}) {
  const field = useField(props)
  return (
    <FieldFrame field={field} props={props}>
      <Picker
        {...field.aria}
        aria-labelledby={`${field.labelId} ${field.aria.id}`}
        value={typeof field.value === 'string' ? field.value : undefined}
        onChange={field.onChange}
        selectors={selectors}
        clearable={!props.required}
        disabled={props.disabled || props.readOnly}
      />
    </FieldFrame>
  )
}

const declare =
  (picker: ComponentType<PickerProps & { selectors?: readonly Selector[] }>) =>
  (name: string, { selectors, ...options }: FieldOptions & { selectors?: readonly Selector[] } = {}): FieldSpec =>
    custom(name, {
      ...options,
      render: (field) => (
        <PickerField {...field} readOnly={field.readOnly === true} picker={picker} selectors={selectors} />
      ),
    })

// Pickers as declared fields: fields: [person('person_id'), config('config_id', { required: true })]
export const person = declare(PersonPicker)
export const team = declare(TeamPicker)
export const agent = declare(AgentPicker)
export const component = declare(ComponentPicker)
export const config = declare(ConfigPicker)
export const check = declare(CheckPicker)
