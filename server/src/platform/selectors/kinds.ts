import type { ResourceKind } from '@quarterdeck/contract/selectors'

/** How selectors read each kind of resource. Column names are ours, never a user's. */
export interface KindColumns {
  table: string
  /** Text expression of the namespace. */
  namespace: string
  hasTags: boolean
  hasProperties: boolean
  /** The column that names the parent, and where parents are found by name. */
  scope: { column: string; table: string; hasNamespace: boolean }
  /** Columns a field selector may name. */
  fields: Record<string, 'text' | 'uuid' | 'list'>
}

export const kindColumns: Record<ResourceKind, KindColumns> = {
  configs: {
    table: 'config_items',
    namespace: `tags ->> 'namespace'`,
    hasTags: true,
    hasProperties: true,
    scope: { column: 'scraper_id', table: 'config_scrapers', hasNamespace: false },
    fields: { config_class: 'text', external_id: 'list' },
  },
  checks: {
    table: 'checks',
    namespace: 'namespace',
    hasTags: false,
    hasProperties: false,
    scope: { column: 'canary_id', table: 'canaries', hasNamespace: true },
    fields: { type: 'text', owner: 'text', severity: 'text', canary_id: 'uuid' },
  },
  components: {
    table: 'components',
    namespace: 'namespace',
    hasTags: false,
    hasProperties: true,
    scope: { column: 'topology_id', table: 'topologies', hasNamespace: true },
    fields: { owner: 'text', topology_type: 'text', topology_id: 'uuid', parent_id: 'uuid', type: 'text' },
  },
}

export const nilAgent = '00000000-0000-0000-0000-000000000000'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => uuid.test(text)
export const isLocalAgent = (agent: string): boolean => agent === '' || agent === 'self' || agent === 'local'
