import { objectOf, type ResourceKind } from '@/entities/settings-resource/resource-kind.ts'
import { paths } from '@/app/paths.ts'

/** Canaries in settings lists; their form, with its kinds of checks, is `CanaryEditor`. */
export const canary: ResourceKind = {
  table: 'canaries',
  list: 'canaries_with_status',
  resource: 'canaries',
  title: 'Health checks',
  name: 'Health Check',
  noun: 'health check',
  icon: 'health',
  about: 'A health check asks one of your systems how it is, on a schedule, and keeps what it answered.',
  hidden: ['namespace'],
  runColumn: 'last_runtime',
  jobType: 'canary',
  fields: () => [],
  start: {},
  valuesOf: (stored) => ({
    name: stored.name,
    namespace: stored.namespace,
    labels: objectOf(stored.labels),
    spec: objectOf(stored.spec),
  }),
  toRow: (values) => values,
  deleteText: 'Its checks stop running and disappear from the dashboard, with their history.',
  pathOf: paths.canary,
}
