import { spec, text } from '@/ui/form/declare.ts'
import { objectOf, type ResourceKind, textOf } from '../resource-kind.ts'

export const incidentRule: ResourceKind = {
  table: 'incident_rules',
  resource: 'database',
  title: 'Rules',
  name: 'Rule',
  noun: 'rule',
  icon: 'siren',
  about: 'A rule opens an incident by itself when a component gets into a state, and says who responds.',
  hidden: [],
  without: ['schedule', 'namespace', 'tags'],
  jobType: 'incident_rule',
  engine: 'incidents',
  fields: ({ isNew, readOnly }) => [
    text('name', { label: 'Name', required: true, maxLength: 253, readOnly: readOnly || !isNew }),
    spec('spec', { label: 'Spec', required: true, schema: '/api/schemas/incident_rule.spec.schema.json', readOnly }),
  ],
  start: { name: '', spec: {} },
  valuesOf: (stored) => ({ name: stored.name, spec: objectOf(stored.spec) }),
  toRow: (values) => ({ name: textOf(values.name), spec: objectOf(values.spec) }),
  deleteText: 'It opens no more incidents. Those it opened stay.',
}
