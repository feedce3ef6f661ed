import { objectOf, type ResourceKind, textOf } from '@/entities/settings-resource/resource-kind.ts'
import { icon, spec, text } from '@/ui/form/declare.ts'

/** What a team is made of; its people are a tab of their own. */
export const team: ResourceKind = {
  table: 'teams',
  list: 'teams_with_status',
  resource: 'database',
  family: 'teams',
  title: 'Teams',
  name: 'Team',
  noun: 'team',
  icon: 'team',
  about: 'A team groups people, so that incidents and notifications can go to all of them.',
  hidden: [],
  without: ['schedule', 'namespace', 'tags'],
  jobType: 'team',
  fields: ({ isNew, readOnly }) => [
    text('name', { label: 'Name', required: true, maxLength: 200, readOnly: readOnly || !isNew }),
    icon('icon', { label: 'Icon', readOnly }),
    spec('spec', { label: 'Spec', schema: '/api/schemas/team.spec.schema.json', readOnly }),
  ],
  start: { name: '', icon: '', spec: {} },
  valuesOf: (stored) => ({ name: stored.name, icon: stored.icon, spec: objectOf(stored.spec) }),
  toRow: (values) => ({ name: textOf(values.name), icon: textOf(values.icon) || null, spec: objectOf(values.spec) }),
  deleteText: 'Its members stay, but incidents and notifications no longer reach them through it.',
}
