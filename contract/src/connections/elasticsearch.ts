import { common, property } from './fields.ts'
import type { ConnectionKind } from './kind.ts'

export const elasticsearch = {
  type: 'elasticsearch',
  label: 'Elasticsearch',
  category: 'database',
  fields: [
    ...common({ url: { placeholder: 'https://host:9200' } }),
    property('index', { hint: 'The index searched unless another is named.' }),
  ],
  test: 'Asks for the health of the cluster.',
} satisfies ConnectionKind
