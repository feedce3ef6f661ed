import { Plus, Trash2 } from 'lucide-react'
import { Button } from '@/ui/button.tsx'
import { custom, type FieldOptions } from '@/ui/form/declare.ts'
import { FieldFrame, type FieldProps, useField } from '@/ui/form/field.tsx'
import { parseEnvVar } from '@/ui/form/secrets.ts'
import { IconButton } from '@/ui/icon-button.tsx'
import { Input } from '@/ui/input.tsx'

interface Entry {
  name?: string
  value?: string
  valueFrom?: object
}

/** A list of names with values, such as headers; values that come from elsewhere are shown and kept. */
export function EnvListField({ entryLabel, ...props }: FieldProps & { entryLabel: string }) {
  const field = useField(props)
  const entries: Entry[] = Array.isArray(field.value) ? (field.value as Entry[]) : []
  const setAt = (at: number, entry: Entry) => field.onChange(entries.map((each, i) => (i === at ? entry : each)))
  return (
    <FieldFrame field={field} props={props} asGroup>
      <div className="flex flex-col gap-2">
        {entries.map((entry, at) => (
          <div key={at} className="flex items-center gap-2">
            <Input
              aria-label={entryLabel}
              placeholder={entryLabel}
              value={entry.name ?? ''}
              readOnly={props.readOnly}
              onChange={(event) => setAt(at, { ...entry, name: event.target.value })}
            />
            {entry.valueFrom ? (
              <Input aria-label="Value" value={sourceOf(entry)} readOnly />
            ) : (
              <Input
                aria-label="Value"
                placeholder="Value"
                value={entry.value ?? ''}
                readOnly={props.readOnly}
                onChange={(event) => setAt(at, { ...entry, value: event.target.value })}
              />
            )}
            {!props.readOnly && (
              <IconButton
                icon={Trash2}
                label="Remove"
                onClick={() => field.onChange(entries.filter((_, i) => i !== at))}
              />
            )}
          </div>
        ))}
        {!props.readOnly && (
          <Button
            size="sm"
            icon={Plus}
            className="self-start"
            onClick={() => field.onChange([...entries, { name: '', value: '' }])}
          >
            Add
          </Button>
        )}
      </div>
    </FieldFrame>
  )
}

function sourceOf(entry: Entry): string {
  const value = parseEnvVar(entry)
  return value.source === 'static' ? 'from elsewhere' : `${value.source}://${value.name}/${value.key}`
}

export const envList = (name: string, entryLabel: string, options: FieldOptions = {}) =>
  custom(name, {
    wide: true,
    ...options,
    render: (field) => <EnvListField {...(field as FieldProps)} entryLabel={entryLabel} className="col-span-full" />,
  })
