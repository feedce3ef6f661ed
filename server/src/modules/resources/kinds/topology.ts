import { registerKind } from '@quarterdeck/contract/documents'
import { TopologySpec } from '@quarterdeck/contract/topologies'
import { asMap, compact, fromFile, type KindStore, mapOrNull, optionalText } from './kind-store.ts'

export const topology: KindStore = {
  kind: 'Topology',
  table: 'topologies',
  columns: { name: 'text', namespace: 'text', labels: 'jsonb', schedule: 'text', spec: 'jsonb' },
  source: () => fromFile,
  sourceType: 'source',
  defaultNamespace: 'default',
  nameColumns: ['name', 'namespace'],
  hasAgents: true,
  toColumns: ({ metadata, spec }) => ({
    name: metadata.name,
    namespace: metadata.namespace ?? 'default',
    labels: mapOrNull(metadata.labels),
    schedule: optionalText(spec.schedule),
    spec,
  }),
  toDocument: (row) => ({
    metadata: { name: String(row.name), ...compact({ namespace: row.namespace, labels: asMap(row.labels) }) },
    spec: (row.spec ?? {}) as Record<string, unknown>,
  }),
}

registerKind('Topology', { spec: TopologySpec })
