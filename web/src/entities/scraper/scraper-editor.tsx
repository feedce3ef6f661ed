import { CodeXml, ListChecks } from 'lucide-react'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { SpecField } from '@/ui/form/code-fields.tsx'
import { schedule, text } from '@/ui/form/declare.ts'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { placedFields } from '@/ui/form/placed-fields.ts'
import { Icon } from '@/ui/icons/icon.tsx'
import { Segmented } from '@/ui/segmented.tsx'
import { Select } from '@/ui/select.tsx'
import { crdSync, retention } from './kinds/kind.ts'
import { type ScraperValues, sourcesOf } from './scraper-form.ts'
import { TryScraper } from './try-scraper.tsx'

const schema = '/api/schemas/scrape_config.spec.schema.json'

export interface ScraperEditorProps {
  /** The name is settled once it is saved. */
  isNew?: boolean
  /** Written elsewhere, or nobody's to change. */
  readOnly?: boolean
}

/**
 * The fields of a scraper inside a form whose values are `ScraperValues`: name, schedule, its sources as forms or as
 * YAML, retention, and a try that saves nothing.
 */
export function ScraperEditor({ isNew = false, readOnly = false }: ScraperEditorProps) {
  const { watch } = useFormContext<ScraperValues>()
  const spec = watch('spec')
  const places = sourcesOf(spec)
  const hasForm = places.some((place) => place.kind?.fields)
  const [chosen, setChosen] = useState<'form' | 'yaml'>(hasForm ? 'form' : 'yaml')
  const mode = readOnly || !hasForm ? 'yaml' : chosen
  return (
    <>
      <FormFields
        columns={2}
        fields={[
          text('name', { label: 'Name', required: true, maxLength: 253, readOnly: readOnly || !isNew }),
          text('source', { label: 'Source', readOnly: true }),
          schedule('spec.schedule', { label: 'Schedule', readOnly, placeholder: '@every 60m' }),
        ]}
      />
      <div className="flex min-h-8 items-center justify-between gap-2 border-t border-line pt-3">
        <h2 className="text-sm font-semibold">{places.length > 1 ? `${places.length} sources` : 'Source'}</h2>
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
        <>
          <SourceForm />
          <FormFields columns={2} fields={placedFields(spec.kubernetes ? [crdSync, retention] : [retention], 'spec')} />
        </>
      ) : (
        <SpecField name="spec" label="Spec" schema={schema} size="large" required readOnly={readOnly} />
      )}
      <TryScraper readOnly={readOnly} />
    </>
  )
}

/** The form of one source; a scraper of several lets choose which. */
function SourceForm() {
  const { watch } = useFormContext<ScraperValues>()
  const places = sourcesOf(watch('spec'))
  const [chosen, setChosen] = useState<string>()
  const pathOf = (place: { key: string; index: number }) => `${place.key}.${place.index}`
  const withForm = places.filter((place) => place.kind?.fields)
  const place = withForm.find((each) => pathOf(each) === chosen) ?? withForm[0]
  if (!place?.kind?.fields) return null
  const path = pathOf(place)
  return (
    <>
      {places.length > 1 ? (
        <Select
          aria-label="Source"
          prefix="Source"
          className="max-w-96 shrink-0"
          value={path}
          onChange={setChosen}
          options={places.map((each) => ({
            value: pathOf(each),
            label: each.label,
            hint: each.kind?.fields ? each.kind.label : `${each.key}: YAML only`,
            disabled: !each.kind?.fields,
          }))}
        />
      ) : (
        <p className="flex items-center gap-2 text-sm text-muted">
          <Icon name={place.kind.icon} size={16} />
          {place.kind.about}
        </p>
      )}
      <FormFields key={path} columns={2} fields={placedFields(place.kind.fields, `spec.${path}`)} />
    </>
  )
}
