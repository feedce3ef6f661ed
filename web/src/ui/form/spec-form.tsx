import { CodeXml, ListChecks } from 'lucide-react'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { Icon } from '../icons/icon.tsx'
import { Segmented } from '../segmented.tsx'
import { Select } from '../select.tsx'
import { SpecField } from './code-fields.tsx'
import type { FieldSpec } from './declare.ts'
import { FormFields } from './form-fields.tsx'
import { placedFields } from './placed-fields.ts'
import type { Spec, SpecPart } from './spec-parts.ts'

export interface SpecFormProps {
  /** What a part is called: Check, Source. */
  noun: string
  parts: (spec: Spec) => SpecPart[]
  /** Address of the JSON schema that completes and checks the YAML. */
  schema: string
  /** Fields of the spec itself, below those of the part. */
  more?: readonly FieldSpec[]
  readOnly?: boolean
}

/**
 * The `spec` of the form around it, as fields or as YAML. Both edit the same object, so switching loses nothing: fields
 * leave alone what they do not know. A spec without a part that has a form, or that cannot be changed, is YAML.
 */
export function SpecForm({ noun, parts: partsOf, schema, more = [], readOnly = false }: SpecFormProps) {
  const { watch } = useFormContext<{ spec: Spec }>()
  const parts = partsOf(watch('spec'))
  const hasForm = parts.some((part) => part.kind?.fields)
  const [chosen, setChosen] = useState<'form' | 'yaml'>(hasForm ? 'form' : 'yaml')
  const canSwitch = hasForm && !readOnly
  return (
    <>
      <div className="flex min-h-8 items-center justify-between gap-2 border-t border-line pt-3">
        <h2 className="text-sm font-semibold">{parts.length > 1 ? `${parts.length} ${noun.toLowerCase()}s` : noun}</h2>
        {canSwitch && (
          <Segmented
            aria-label="Edit as"
            value={chosen}
            onChange={setChosen}
            options={[
              { value: 'form', label: 'Form', icon: ListChecks },
              { value: 'yaml', label: 'YAML', icon: CodeXml },
            ]}
          />
        )}
      </div>
      {canSwitch && chosen === 'form' ? (
        <>
          <PartForm noun={noun} parts={parts} />
          {more.length > 0 && <FormFields columns={2} fields={placedFields(more, 'spec')} />}
        </>
      ) : (
        <SpecField name="spec" label="Spec" schema={schema} size="large" required readOnly={readOnly} />
      )}
    </>
  )
}

/** The form of one part; of several one is chosen. */
function PartForm({ noun, parts }: { noun: string; parts: readonly SpecPart[] }) {
  const [chosen, setChosen] = useState<string>()
  const withForm = parts.filter((part) => part.kind?.fields)
  const part = withForm.find(({ path }) => path === chosen) ?? withForm[0]
  if (!part?.kind?.fields) return null
  const { path, kind } = part
  return (
    <>
      {parts.length > 1 ? (
        <Select
          aria-label={noun}
          prefix={noun}
          className="max-w-96 shrink-0"
          value={path}
          onChange={setChosen}
          options={parts.map((each) => ({
            value: each.path,
            label: each.label,
            hint: each.kind?.fields ? each.kind.label : `${each.key}: YAML only`,
            disabled: !each.kind?.fields,
          }))}
        />
      ) : (
        kind.about && (
          <p className="flex items-center gap-2 text-sm text-muted">
            <Icon name={kind.icon} size={16} />
            {kind.about}
          </p>
        )
      )}
      <FormFields key={path} columns={2} fields={placedFields(part.kind.fields, `spec.${path}`)} />
    </>
  )
}
