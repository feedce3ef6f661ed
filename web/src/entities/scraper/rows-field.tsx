import { Plus, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { Button } from '@/ui/button.tsx'
import { custom, type FieldOptions, type FieldSpec } from '@/ui/form/declare.ts'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { labelOf } from '@/ui/form/field.tsx'
import { placedFields } from '@/ui/form/placed-fields.ts'
import { IconButton } from '@/ui/icon-button.tsx'

interface RowsProps {
  name: string
  label?: string
  hint?: ReactNode
  readOnly?: boolean
  itemLabel: string
  fields: readonly FieldSpec[]
  start: Record<string, unknown>
}

/** A list of objects, each with the same few fields. */
function RowsField({ name, label = labelOf(name), hint, readOnly, itemLabel, fields, start }: RowsProps) {
  const { watch, setValue } = useFormContext()
  const stored: unknown = watch(name)
  const rows = Array.isArray(stored) ? stored : []
  const write = (next: readonly unknown[]) =>
    setValue(name, next.length > 0 ? next : undefined, { shouldDirty: true, shouldTouch: true })
  return (
    <div role="group" aria-label={label} className="col-span-full flex min-w-0 flex-col gap-2">
      <div>
        <span className="text-sm font-medium">{label}</span>
        {hint && <p className="text-xs text-subtle">{hint}</p>}
      </div>
      {rows.map((_, at) => (
        // Removing one moves the others up; what a field remembers for itself must not stay behind.
        <div key={`${at} ${rows.length}`} className="flex items-start gap-2 rounded-md border border-line p-3">
          <FormFields columns={2} className="min-w-0 flex-1" fields={placedFields(fields, `${name}.${at}`)} />
          {!readOnly && (
            <IconButton
              icon={Trash2}
              label={`Remove ${itemLabel} ${at + 1}`}
              onClick={() => write(rows.filter((_row, i) => i !== at))}
            />
          )}
        </div>
      ))}
      {!readOnly && (
        <Button size="sm" icon={Plus} className="self-start" onClick={() => write([...rows, { ...start }])}>
          Add {itemLabel}
        </Button>
      )}
    </div>
  )
}

/** Declares a list of objects: `rows('watch', 'kind', [text('apiVersion'), text('kind')])`. */
export const rows = (
  name: string,
  itemLabel: string,
  fields: readonly FieldSpec[],
  { start = {}, ...options }: FieldOptions & { start?: Record<string, unknown> } = {},
): FieldSpec =>
  custom(name, {
    wide: true,
    ...options,
    render: (field) => (
      <RowsField
        name={field.name}
        label={field.label}
        hint={field.hint}
        readOnly={field.readOnly === true}
        itemLabel={itemLabel}
        fields={fields}
        start={start}
      />
    ),
  })
