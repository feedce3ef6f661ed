import { CanarySpec } from '@quarterdeck/contract/checks/canary-spec'
import { registerKind } from '@quarterdeck/contract/documents'
import { asMap, compact, fromFile, type KindStore, mapOrNull } from './kind-store.ts'

export const canary: KindStore = {
  kind: 'Canary',
  table: 'canaries',
  columns: { name: 'text', namespace: 'text', labels: 'jsonb', annotations: 'jsonb', spec: 'jsonb' },
  // An annotation may name another origin; "UI" would make the row look editable.
  source: ({ metadata: { annotations } }) =>
    annotations.source && annotations.source !== 'UI' ? annotations.source : fromFile,
  sourceType: 'text',
  defaultNamespace: 'default',
  nameColumns: ['name', 'namespace'],
  hasAgents: true,
  toColumns: ({ metadata, spec }) => ({
    name: metadata.name,
    namespace: metadata.namespace ?? 'default',
    labels: mapOrNull(metadata.labels),
    annotations: mapOrNull(metadata.annotations),
    spec,
  }),
  toDocument: (row) => ({
    metadata: {
      name: String(row.name),
      ...compact({ namespace: row.namespace, labels: asMap(row.labels), annotations: asMap(row.annotations) }),
    },
    spec: row.spec as Record<string, unknown>,
  }),
}

// Each check is held to the schema of its kind, in files and in editors alike.
registerKind('Canary', { spec: CanarySpec })
