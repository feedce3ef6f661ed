import { CodeXml, ListChecks } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { labels, schedule, text } from '@/ui/form/declare.ts'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { SpecField } from '@/ui/form/code-fields.tsx'
import { placedFields } from '@/ui/form/placed-fields.ts'
import { Segmented } from '@/ui/segmented.tsx'
import { Select } from '@/ui/select.tsx'
import { type CanaryValues, checksOf, followingName } from './canary-form.ts'

const schema = '/api/schemas/canary.spec.schema.json'

interface CanaryEditorProps {
  /** Name and namespace are settled once it is saved. */
  isNew?: boolean
  /** Written elsewhere, or nobody's to change. */
  readOnly?: boolean
}

/** The fields of a canary inside a form: what it is called, when it runs, and its checks as forms or as YAML. */
export function CanaryEditor({ isNew = false, readOnly = false }: CanaryEditorProps) {
  const { watch } = useFormContext<CanaryValues>()
  const spec = watch('spec')
  const places = checksOf(spec)
  const hasForm = places.some((place) => place.kind)
  const [chosen, setChosen] = useState<'form' | 'yaml'>(hasForm ? 'form' : 'yaml')
  const mode = readOnly || !hasForm ? 'yaml' : chosen
  useSharedName(isNew)
  return (
    <>
      <FormFields
        columns={2}
        fields={[
          text('name', { required: true, readOnly: readOnly || !isNew }),
          text('namespace', { required: true, readOnly: readOnly || !isNew }),
          schedule('spec.schedule', { label: 'Schedule', list: 'resource', readOnly }),
          labels('labels', { readOnly }),
        ]}
      />
      <div className="flex min-h-8 items-center justify-between gap-2 border-t border-line pt-3">
        <h2 className="text-sm font-semibold">{places.length > 1 ? `${places.length} checks` : 'Check'}</h2>
        {hasForm && !readOnly && (
          <Segmented
            aria-label="Edit as"
            value={mode}
            onChange={setChosen}
            options={[
              { value: 'form', label: 'Form', icon: ListChecks },
              { value: 'yaml', label: 'YAML', icon: CodeXml },
            ]}
          />
        )}
      </div>
      {mode === 'form' ? (
        <CheckForm />
      ) : (
        <SpecField name="spec" label="Spec" schema={schema} size="large" required readOnly={readOnly} />
      )}
    </>
  )
}

/** The form of one check; a canary of several lets choose which. */
function CheckForm() {
  const { watch } = useFormContext<CanaryValues>()
  const places = checksOf(watch('spec'))
  const [chosen, setChosen] = useState<string>()
  const place =
    places.find((each) => `${each.key}.${each.index}` === chosen && each.kind) ?? places.find((each) => each.kind)
  if (!place?.kind?.fields) return null
  const path = `${place.key}.${place.index}`
  return (
    <>
      {places.length > 1 && (
        <Select
          aria-label="Check"
          prefix="Check"
          className="max-w-96 shrink-0"
          value={path}
          onChange={setChosen}
          options={places.map((each) => ({
            value: `${each.key}.${each.index}`,
            label: each.name || `${each.key} ${each.index + 1}`,
            hint: each.kind ? each.kind.label : `${each.key}: YAML only`,
            disabled: !each.kind,
          }))}
        />
      )}
      <FormFields key={path} columns={2} fields={placedFields(place.kind.fields, `spec.${path}`)} />
    </>
  )
}

/** The only check of a new canary is called like it, until it gets a name of its own. */
function useSharedName(isNew: boolean): void {
  const { watch, setValue, getValues } = useFormContext<CanaryValues>()
  const name = watch('name')
  const last = useRef(name)
  useEffect(() => {
    const path = isNew && last.current !== name && followingName(getValues('spec'), last.current)
    last.current = name
    if (path) setValue(path as 'spec', name as never)
  }, [isNew, name, getValues, setValue])
}
