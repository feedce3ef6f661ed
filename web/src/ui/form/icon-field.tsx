import { Combobox } from '../combobox.tsx'
import { Icon } from '../icons/icon.tsx'
import { iconNames } from '../icons/resolve.ts'
import { FieldFrame, type FieldProps, useField } from './field.tsx'

const options = iconNames.map((name) => ({ value: name, label: name, icon: <Icon name={name} /> }))

/** Chooses an icon by its name; other names can be typed. */
export function IconField(props: FieldProps) {
  const field = useField(props)
  const value = typeof field.value === 'string' ? field.value : ''
  return (
    <FieldFrame field={field} props={props}>
      <Combobox
        {...field.aria}
        aria-labelledby={`${field.labelId} ${field.aria.id}`}
        value={value}
        onChange={field.onChange}
        options={options}
        selected={value ? { value, label: value, icon: <Icon name={value} /> } : undefined}
        creatable
        clearable={!props.required}
        placeholder={props.placeholder ?? 'Choose an icon'}
        disabled={props.disabled || props.readOnly}
      />
    </FieldFrame>
  )
}
