import { common, property } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const opensearch = {
  type: 'opensearch',
  label: 'OpenSearch',
  category: 'database',
  icon: 'elasticsearch',
  hidden: true,
  fields: [...common({ url: { placeholder: 'https://host:9200' } }), property('index')],
  test: 'Asks for the health of the cluster.',
} satisfies ConnectionKind
