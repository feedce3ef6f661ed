import { certificate } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const kubernetes = {
  type: 'kubernetes',
  label: 'Kubernetes',
  category: 'cloud',
  fields: [certificate({ label: 'Kubeconfig', hint: 'Empty means the cluster this server runs in.' })],
  test: 'Lists the pods of the namespace default.',
} satisfies ConnectionKind
