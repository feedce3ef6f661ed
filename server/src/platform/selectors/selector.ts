import type { ResourceKind, ResourceSelector } from '@quarterdeck/contract/selectors'
import { isLocalAgent, isUuid, kindColumns, nilAgent } from './kinds.ts'
import { matchesList } from './match-list.ts'
import { meets, parseRequirements, type Requirement, SelectorError } from './requirements.ts'

/** A selector read once: its parts checked and parsed. */
export interface Selector {
  isEmpty: boolean
  id: string
  name: string
  namespace: string
  agent: string
  scope: string
  search: string
  includeDeleted: boolean
  types: string[]
  statuses: string[]
  labels: Requirement[]
  tags: Requirement[]
  fields: Requirement[]
  cache: string
}

const clean = (text: string | null | undefined): string => {
  const given = (text ?? '').trim()
  if (given.includes('\0')) throw new SelectorError('A selector cannot hold a null character')
  return given
}
const cleanList = (list: readonly string[] | null | undefined) => (list ?? []).map(clean).filter(Boolean)

/** Old spellings in the `configs` of components. */
export interface LegacyConfigKeys {
  class?: string | null
  external_id?: string | null
  type?: string | null
  tags?: Record<string, string> | null
}

/** Reads a selector; throws a SelectorError that says what is wrong with it. */
export function readSelector(given: ResourceSelector & LegacyConfigKeys): Selector {
  const equals = (key: string, value: string | null | undefined): Requirement[] =>
    clean(value) === '' ? [] : [{ key, operator: 'in', values: [clean(value)] }]
  const read = {
    id: clean(given.id),
    name: clean(given.name),
    namespace: clean(given.namespace),
    agent: clean(given.agent),
    scope: clean(given.scope),
    search: clean(given.search),
    types: [...cleanList(given.types), ...cleanList(given.type ? [given.type] : [])],
    statuses: cleanList(given.statuses),
    labels: parseRequirements(clean(given.labelSelector)),
    tags: [
      ...parseRequirements(clean(given.tagSelector)),
      ...Object.entries(given.tags ?? {}).flatMap(([key, value]) => equals(clean(key), value)),
    ],
    fields: [
      ...parseRequirements(clean(given.fieldSelector)),
      ...equals('config_class', given.class),
      ...equals('external_id', given.external_id),
    ],
  }
  const isEmpty = Object.values(read).every((part) => part.length === 0)
  return { ...read, isEmpty, includeDeleted: given.includeDeleted ?? false, cache: clean(given.cache) }
}

/** A row as selectors see it. */
export interface Resource {
  id: string
  name?: string | null
  namespace?: string | null
  type?: string | null
  status?: string | null
  labels?: Record<string, unknown> | null
  tags?: Record<string, unknown> | null
  properties?: unknown
  agent_id?: string | null
  /** Needed for selectors that name an agent. */
  agent_name?: string | null
  deleted_at?: unknown
  /** Needed for selectors that name the parent by namespace and name. */
  parent?: { namespace?: string | null; name?: string | null } | null
  [column: string]: unknown
}

const text = (value: unknown): string | undefined =>
  value === null || value === undefined
    ? undefined
    : typeof value === 'string'
      ? value
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value as number)
const own = (map: Record<string, unknown> | null | undefined, key: string): unknown =>
  map && Object.hasOwn(map, key) ? map[key] : undefined
const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

/** Whether a row is meant; says the same as the database would. */
export function matchesSelector(kind: ResourceKind, selector: Selector, row: Resource): boolean {
  if (selector.isEmpty) return false
  const { namespace: _, hasTags, fields, scope } = kindColumns[kind]
  const labels = (all: Requirement[], map: Record<string, unknown> | null | undefined) =>
    all.every((one) => meets(one, text(own(map, one.key))))
  const namespace = kind === 'configs' ? text(own(row.tags, 'namespace')) : (row.namespace ?? undefined)
  return (
    (selector.includeDeleted || row.deleted_at === null || row.deleted_at === undefined) &&
    (selector.id === '' || sameName(selector.id, row.id)) &&
    (selector.name === '' || selector.name === row.name) &&
    (selector.namespace === '' || selector.namespace === namespace) &&
    matchesAgent(selector.agent, row) &&
    matchesScope(selector.scope, text(row[scope.column]), row, scope.hasNamespace) &&
    matchesList(selector.types, row.type) &&
    matchesList(selector.statuses, row.status) &&
    labels(selector.labels, row.labels) &&
    (selector.tags.length === 0 || (hasTags && labels(selector.tags, row.tags))) &&
    selector.fields.every((field) => matchesField(kind, field, row, fields)) &&
    matchesSearch(selector.search, row, hasTags)
  )
}

function matchesAgent(agent: string, row: Resource): boolean {
  if (agent === 'all') return true
  if (isLocalAgent(agent)) return (row.agent_id ?? nilAgent) === nilAgent
  return isUuid(agent) ? sameName(agent, row.agent_id ?? nilAgent) : agent === row.agent_name
}

function matchesScope(scope: string, parentId: string | undefined, row: Resource, hasNamespace: boolean): boolean {
  if (scope === '') return true
  if (isUuid(scope)) return parentId !== undefined && sameName(scope, parentId)
  const [name, namespace] = scope.split('/').reverse()
  if (!row.parent || row.parent.name !== name) return false
  return namespace === undefined || !hasNamespace || row.parent.namespace === namespace
}

function matchesField(
  kind: ResourceKind,
  field: Requirement,
  row: Resource,
  fields: Record<string, 'text' | 'uuid' | 'list'>,
): boolean {
  if (!Object.hasOwn(fields, field.key)) return matchesProperty(kind, field, row)
  const value = row[field.key]
  // The word nil stands for a missing value.
  const values = field.values.filter((one) => one !== 'nil')
  const wantsNil = values.length < field.values.length
  const present = Array.isArray(value)
    ? value.map(String)
    : value === null || value === undefined
      ? []
      : [String(value)]
  const hit =
    (wantsNil && present.length === 0) ||
    present.some((one) =>
      values.some((wanted) => (fields[field.key] === 'uuid' ? sameName(one, wanted) : one === wanted)),
    )
  switch (field.operator) {
    case 'in':
      return hit
    case 'notin':
      return !hit
    case 'exists':
      return present.length > 0
    case 'missing':
      return present.length === 0
    default:
      return present.some((one) => meets(field, one))
  }
}

/** Properties are a list of {name, text}. */
function matchesProperty(kind: ResourceKind, field: Requirement, row: Resource): boolean {
  const all = kindColumns[kind].hasProperties && Array.isArray(row.properties) ? (row.properties as unknown[]) : []
  const texts = all.flatMap((entry) => {
    const { name, text: shown } = (entry ?? {}) as { name?: unknown; text?: unknown }
    return name === field.key ? [typeof shown === 'string' ? shown : ''] : []
  })
  switch (field.operator) {
    case 'exists':
      return texts.length > 0
    case 'missing':
      return texts.length === 0
    case 'notin':
      return !texts.some((one) => field.values.includes(one))
    default:
      return texts.some((one) => meets(field, one))
  }
}

function matchesSearch(search: string, row: Resource, hasTags: boolean): boolean {
  if (search === '') return true
  const begins = (value: unknown) => (text(value) ?? '').toLowerCase().startsWith(search.toLowerCase())
  return (
    begins(row.name) ||
    Object.values(row.labels ?? {}).some(begins) ||
    (hasTags && Object.values(row.tags ?? {}).some(begins))
  )
}
