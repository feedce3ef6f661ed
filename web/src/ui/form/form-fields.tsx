import type { FieldValues } from 'react-hook-form'
import { cn } from '@/lib/cn.ts'
import { CollapsibleSection } from '../section.tsx'
import {
  CheckboxField,
  ComboboxField,
  MultiField,
  NumberField,
  PasswordField,
  SelectField,
  SwitchField,
  TagsField,
  TextareaField,
  TextField,
} from './basic-fields.tsx'
import { CodeField, SpecField } from './code-fields.tsx'
import { KeyValueField, LabelsField, ListField } from './collection-fields.tsx'
import type { FieldSpec } from './declare.ts'
import { useFormValues } from './field.tsx'
import { IconField } from './icon-field.tsx'
import { CpuField, DurationField, MemoryField, ScheduleField } from './quantity-fields.tsx'
import { SecretField } from './secret-field.tsx'

/** Draws declared fields inside a form; two columns where there is room. */
export function FormFields({
  fields,
  columns = 1,
  className,
}: {
  fields: readonly FieldSpec[]
  columns?: 1 | 2
  className?: string
}) {
  const values = useFormValues()
  return (
    <div className={cn('grid gap-4', columns === 2 && 'sm:grid-cols-2', className)}>
      {fields.map((field) => (
        <Declared
          key={field.kind === 'section' ? `section ${field.label}` : field.name}
          field={field}
          values={values}
          columns={columns}
        />
      ))}
    </div>
  )
}

function Declared({ field, values, columns }: { field: FieldSpec; values: FieldValues; columns: 1 | 2 }) {
  if (field.when && !field.when(values)) return null
  if (field.kind === 'section') {
    const inner = (
      <>
        {field.hint && <p className="mb-3 text-sm text-muted">{field.hint}</p>}
        <FormFields fields={field.fields} columns={columns} />
      </>
    )
    if (field.collapsed)
      return (
        <CollapsibleSection title={field.label} defaultOpen={false} className="col-span-full">
          {inner}
        </CollapsibleSection>
      )
    return (
      <fieldset className="col-span-full min-w-0 border-t border-line pt-3">
        <legend className="float-left mb-3 w-full text-sm font-semibold">{field.label}</legend>
        <div className="clear-both">{inner}</div>
      </fieldset>
    )
  }
  const readOnly = typeof field.readOnly === 'function' ? field.readOnly(values) : field.readOnly
  const props = { ...field, readOnly, className: field.wide ? 'col-span-full' : undefined }
  return <Control field={props} />
}

function Control({
  field,
}: {
  field: Exclude<FieldSpec, { kind: 'section' }> & { className?: string; readOnly?: boolean }
}) {
  switch (field.kind) {
    case 'text':
      return field.multiline ? <TextareaField {...field} /> : <TextField {...field} />
    case 'number':
      return <NumberField {...field} />
    case 'checkbox':
      return <CheckboxField {...field} />
    case 'switch':
      return <SwitchField {...field} />
    case 'memory':
      return <MemoryField {...field} />
    case 'cpu':
      return <CpuField {...field} />
    case 'duration':
      return <DurationField {...field} />
    case 'password':
      return <PasswordField {...field} />
    case 'tags':
      return <TagsField {...field} />
    case 'labels':
      return <LabelsField {...field} />
    case 'icon':
      return <IconField {...field} />
    case 'map':
      return <KeyValueField {...field} />
    case 'list':
      return <ListField {...field} />
    case 'choice':
      return <SelectField {...field} />
    case 'search':
      return <ComboboxField {...field} />
    case 'many':
      return <MultiField {...field} />
    case 'schedule':
      return <ScheduleField {...field} />
    case 'secret':
      return <SecretField {...field} />
    case 'spec':
      return <SpecField {...field} />
    case 'code':
      return <CodeField {...field} />
    case 'custom':
      return field.render(field)
  }
}
