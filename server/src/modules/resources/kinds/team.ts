import { compact, fromFile, type KindStore, optionalText } from './kind-store.ts'

export const team: KindStore = {
  kind: 'Team',
  table: 'teams',
  columns: { name: 'text', icon: 'text', spec: 'jsonb' },
  source: () => fromFile,
  sourceType: 'text',
  defaultNamespace: undefined,
  nameColumns: ['name'],
  nameOutlivesRow: true,
  needsCreator: true,
  toColumns({ metadata, spec: { icon, ...spec } }) {
    return { name: metadata.name, icon: optionalText(icon), spec }
  },
  toDocument: (row) => ({
    metadata: { name: String(row.name) },
    spec: { ...compact({ icon: row.icon }), ...((row.spec ?? {}) as Record<string, unknown>) },
  }),
}
