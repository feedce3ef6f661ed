import { text } from '@/ui/form/declare.ts'
import { type ResourceKind, textOf } from '../resource-kind.ts'

export const property: ResourceKind = {
  table: 'properties',
  resource: 'feature_flags',
  key: 'name',
  title: 'Properties',
  name: 'Property',
  noun: 'property',
  icon: 'settings',
  about: 'A property is a setting of the server that can be changed while it runs. Feature flags are properties too.',
  hidden: [],
  without: ['source', 'schedule', 'namespace', 'job_status', 'last_run', 'job_last_failed', 'tags'],
  extra: [{ id: 'value', header: 'Value', size: 320, value: (row) => row.value as string }],
  fields: ({ isNew, readOnly }) => [
    text('name', {
      label: 'Name',
      required: true,
      maxLength: 253,
      pattern: /^[^\s=]+$/,
      patternMessage: 'A name has no spaces and no equals sign',
      readOnly: readOnly || !isNew,
    }),
    text('value', { label: 'Value', required: true, readOnly }),
  ],
  start: { name: '', value: '' },
  valuesOf: (stored) => ({ name: stored.name, value: stored.value }),
  toRow: (values) => ({ name: textOf(values.name), value: textOf(values.value) }),
  deleteText: 'The server goes back to its default at once.',
  deletesRow: true,
}
