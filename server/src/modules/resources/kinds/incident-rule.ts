import { registerKind } from '@quarterdeck/contract/documents'
import { IncidentRuleSpec } from '@quarterdeck/contract/incident-rules'
import { fromFile, type KindStore } from './kind-store.ts'

export const incidentRule: KindStore = {
  kind: 'IncidentRule',
  table: 'incident_rules',
  columns: { name: 'text', spec: 'jsonb' },
  source: () => fromFile,
  sourceType: 'text',
  defaultNamespace: undefined,
  nameColumns: ['name'],
  nameOutlivesRow: true,
  needsCreator: true,
  toColumns: ({ metadata, spec }) => ({ name: metadata.name, spec }),
  toDocument: (row) => ({
    metadata: { name: String(row.name) },
    spec: (row.spec ?? {}) as Record<string, unknown>,
  }),
}

registerKind('IncidentRule', { spec: IncidentRuleSpec })
