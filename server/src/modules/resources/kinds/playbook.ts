import { compact, fromFile, type KindStore, optionalText } from './kind-store.ts'

export const playbook: KindStore = {
  kind: 'Playbook',
  table: 'playbooks',
  columns: {
    name: 'text',
    namespace: 'text',
    title: 'text',
    icon: 'text',
    description: 'text',
    category: 'text',
    spec: 'jsonb',
  },
  source: () => fromFile,
  sourceType: 'source',
  defaultNamespace: 'default',
  nameColumns: ['name', 'namespace', 'category'],
  toColumns: ({ metadata, spec }) => ({
    name: metadata.name,
    namespace: metadata.namespace ?? 'default',
    title: optionalText(spec.title) ?? metadata.name,
    icon: optionalText(spec.icon),
    description: optionalText(spec.description),
    category: optionalText(spec.category) ?? '',
    spec,
  }),
  toDocument: (row) => ({
    metadata: { name: String(row.name), namespace: String(row.namespace) },
    spec: {
      ...compact({ title: row.title, icon: row.icon, description: row.description }),
      ...(row.category ? { category: row.category } : {}),
      ...(row.spec as Record<string, unknown>),
    },
  }),
}
