import { labels, spec, text } from '@/ui/form/declare.ts'
import { objectOf, type ResourceKind, textOf } from '../resource-kind.ts'

export const logBackend: ResourceKind = {
  table: 'logging_backends',
  resource: 'logging_backends',
  title: 'Log Backends',
  name: 'Log Backend',
  noun: 'log backend',
  icon: 'logs',
  about:
    'A log backend says where the log lines of components are read from: a cluster, files, Elasticsearch, OpenSearch or CloudWatch.',
  hidden: [],
  without: ['schedule', 'namespace'],
  jobType: 'logging_backend',
  engine: 'logs',
  fields: ({ isNew, readOnly }) => [
    text('name', { label: 'Name', required: true, maxLength: 253, readOnly: readOnly || !isNew }),
    labels('labels', { label: 'Labels', readOnly }),
    spec('spec', { label: 'Spec', required: true, schema: '/api/schemas/logging_backend.spec.schema.json', readOnly }),
  ],
  start: { name: '', labels: {}, spec: {} },
  valuesOf: (stored) => ({ name: stored.name, labels: objectOf(stored.labels), spec: objectOf(stored.spec) }),
  toRow: (values) => ({
    name: textOf(values.name),
    labels: objectOf(values.labels),
    spec: objectOf(values.spec),
  }),
  deleteText: 'Log lines are no longer read from it. The logs themselves stay where they are.',
}
