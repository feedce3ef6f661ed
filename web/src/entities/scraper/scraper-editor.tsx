import { schedule, text } from '@/ui/form/declare.ts'
import { FormFields } from '@/ui/form/form-fields.tsx'
import { SpecForm } from '@/ui/form/spec-form.tsx'
import { crdSync, retention } from './kinds/kind.ts'
import { sourcesOf } from './scraper-form.ts'
import { TryScraper } from './try-scraper.tsx'

const more = [crdSync, retention]

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
      <SpecForm
        noun="Source"
        parts={sourcesOf}
        schema="/api/schemas/scrape_config.spec.schema.json"
        more={more}
        readOnly={readOnly}
      />
      <TryScraper readOnly={readOnly} />
    </>
  )
}
