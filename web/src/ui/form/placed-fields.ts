import { get } from 'react-hook-form'
import type { FieldSpec } from './declare.ts'

/** Fields as parts of something larger: `url` of the second http check is spec.http.1.url. */
export function placedFields(fields: readonly FieldSpec[], prefix: string): FieldSpec[] {
  return fields.map((field): FieldSpec => {
    const when =
      field.when &&
      ((values: Record<string, unknown>) => field.when!((get(values, prefix) as Record<string, unknown>) ?? {}))
    if (field.kind === 'section') return { ...field, when, fields: placedFields(field.fields, prefix) }
    return { ...field, when, name: `${prefix}.${field.name}` }
  })
}
