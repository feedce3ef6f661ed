import { labels, spec, text } from '@/ui/form/declare.ts'
import { objectOf, type ResourceKind, textOf } from '../resource-kind.ts'

export const topology: ResourceKind = {
  table: 'topologies',
  list: 'topologies_with_status',
  select: '*,created_by(id,name,avatar),agent:agent_id(id,name,description)',
  resource: 'topologies',
  title: 'Topologies',
  name: 'Topology',
  noun: 'topology',
  icon: 'topology',
  about: 'A topology describes the components of a system as a tree, and where each of them is looked up.',
  hidden: ['schedule'],
  jobType: 'topology',
  engine: 'topology',
  fields: ({ isNew, readOnly }) => [
    text('name', { label: 'Name', required: true, maxLength: 253, readOnly: readOnly || !isNew }),
    text('namespace', { label: 'Namespace', required: true, maxLength: 253, readOnly: readOnly || !isNew }),
    labels('labels', { label: 'Labels', readOnly }),
    spec('spec', { label: 'Spec', required: true, schema: '/api/schemas/topology.spec.schema.json', readOnly }),
  ],
  start: { name: '', namespace: 'default', labels: {}, spec: {} },
  valuesOf: (stored) => ({
    name: stored.name,
    namespace: stored.namespace,
    labels: objectOf(stored.labels),
    spec: objectOf(stored.spec),
  }),
  toRow: (values) => ({
    name: textOf(values.name),
    namespace: textOf(values.namespace),
    labels: objectOf(values.labels),
    spec: objectOf(values.spec),
  }),
  savesOnlyValid: true,
  deleteText: 'Its components disappear from the dashboard. They come back when it is added again and runs.',
}
