import { type FieldSpec, icon, spec, text } from '@/ui/form/declare.ts'
import type { TeamValues } from './teams.queries.ts'

/** What a team is made of; the name of a saved one stays. */
export const teamFields = ({ isNew, readOnly }: { isNew: boolean; readOnly: boolean }): FieldSpec[] => [
  text('name', { label: 'Name', required: true, maxLength: 200, readOnly: readOnly || !isNew }),
  icon('icon', { label: 'Icon', readOnly }),
  spec('spec', { label: 'Spec', schema: '/api/schemas/team.spec.schema.json', readOnly }),
]

export const valuesOf = ({ name, icon: picture, spec: definition }: TeamValues): TeamValues => ({
  name: name.trim(),
  icon: picture || null,
  spec: definition ?? {},
})
