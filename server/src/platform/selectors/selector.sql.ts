import type { ResourceKind } from '@quarterdeck/contract/selectors'
import { isLocalAgent, isUuid, type KindColumns, kindColumns, nilAgent } from './kinds.ts'
import { listCondition } from './match-list.ts'
import type { Requirement } from './requirements.ts'
import type { Selector } from './selector.ts'

export interface Where {
  /** A condition on the kind's table; user input appears only as $1, $2 … */
  text: string
  values: unknown[]
}

type Param = (value: unknown) => string

const never = 'false'
const likeSafe = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const pair = (key: string, value: string, param: Param) =>
  `jsonb_build_object(${param(key)}::text, ${param(value)}::text)`
const numeric = (expression: string, operator: string, limit: string, param: Param) =>
  `case when ${expression} ~ '^-?\\d{1,15}(\\.\\d{1,15})?$' then (${expression})::numeric ${operator} ${param(limit)}::numeric else false end`

/** A condition on a column of labels. Equality is asked as containment, which the index answers. */
export function labelCondition(column: string, { key, operator, values }: Requirement, param: Param): string {
  const value = () => `(${column} ->> ${param(key)})`
  switch (operator) {
    case 'in':
      return `(${values.map((one) => `${column} @> ${pair(key, one, param)}`).join(' or ')})`
    case 'notin':
      return `(${value()} is null or ${value()} <> all(${param(values)}::text[]))`
    case 'exists':
      return `${value()} is not null`
    case 'missing':
      return `${value()} is null`
    case 'gt':
      return numeric(value(), '>', values[0]!, param)
    case 'lt':
      return numeric(value(), '<', values[0]!, param)
  }
}

function propertyCondition({ key, operator, values }: Requirement, param: Param): string {
  // Asked for only where it is used: a parameter nobody mentions has no type.
  const named = () => `properties @> jsonb_build_array(jsonb_build_object('name', ${param(key)}::text))`
  const anyOf = (condition: (entry: string) => string) =>
    `exists (select from jsonb_array_elements(case jsonb_typeof(properties) when 'array' then properties else '[]' end) as entry
      where entry ->> 'name' = ${param(key)} and ${condition(`coalesce(case jsonb_typeof(entry -> 'text') when 'string' then entry ->> 'text' end, '')`)})`
  switch (operator) {
    case 'in':
      return anyOf((entry) => `${entry} = any(${param(values)}::text[])`)
    case 'notin':
      return `not ${anyOf((entry) => `${entry} = any(${param(values)}::text[])`)}`
    case 'exists':
      return `coalesce(${named()}, false)`
    case 'missing':
      return `not coalesce(${named()}, false)`
    case 'gt':
      return anyOf((entry) => numeric(entry, '>', values[0]!, param))
    case 'lt':
      return anyOf((entry) => numeric(entry, '<', values[0]!, param))
  }
}

function fieldCondition(columns: KindColumns, field: Requirement, param: Param): string {
  const { key, operator, values } = field
  const type = Object.hasOwn(columns.fields, key) ? columns.fields[key] : undefined
  if (!type)
    return columns.hasProperties
      ? propertyCondition(field, param)
      : operator === 'missing' || operator === 'notin'
        ? 'true'
        : never
  const isMissing = type === 'list' ? `coalesce(cardinality(${key}), 0) = 0` : `${key} is null`
  const hit = () => {
    const wanted = values.filter((value) => value !== 'nil' && (type !== 'uuid' || isUuid(value)))
    const listed = type === 'list' ? `${key} && ` : `${key} = any`
    const parts = [
      ...(wanted.length === 0
        ? []
        : [
            `coalesce(${listed}${type === 'list' ? `${param(wanted)}::text[]` : `(${param(wanted)}::${type}[])`}, false)`,
          ]),
      ...(values.includes('nil') ? [isMissing] : []),
    ]
    return parts.join(' or ') || never
  }
  switch (operator) {
    case 'in':
      return `(${hit()})`
    case 'notin':
      return `not (${hit()})`
    case 'exists':
      return `not (${isMissing})`
    case 'missing':
      return `(${isMissing})`
    default: {
      const compare = (one: string) => numeric(one, operator === 'gt' ? '>' : '<', values[0]!, param)
      return type === 'list'
        ? `exists (select from unnest(${key}) as entry where ${compare('entry')})`
        : compare(`${key}::text`)
    }
  }
}

function agentCondition(agent: string, param: Param): string | undefined {
  if (agent === 'all') return undefined
  if (isLocalAgent(agent)) return `agent_id = '${nilAgent}'`
  if (isUuid(agent)) return `agent_id = ${param(agent)}::uuid`
  return `agent_id in (select agents.id from agents where agents.name = ${param(agent)} and agents.deleted_at is null)`
}

function scopeCondition({ scope }: KindColumns, given: string, param: Param): string | undefined {
  if (given === '') return undefined
  if (isUuid(given)) return `${scope.column} = ${param(given)}::uuid`
  const [name, namespace] = given.split('/').reverse()
  const inNamespace = namespace !== undefined && scope.hasNamespace ? ` and parent.namespace = ${param(namespace)}` : ''
  return `${scope.column} in (select parent.id from ${scope.table} as parent where parent.name = ${param(name)}${inNamespace})`
}

function searchCondition(columns: KindColumns, search: string, param: Param): string | undefined {
  if (search === '') return undefined
  const pattern = param(`${likeSafe(search.toLowerCase())}%`)
  const values = (column: string) =>
    `exists (select from jsonb_each_text(case jsonb_typeof(${column}) when 'object' then ${column} else '{}' end) as entry where lower(entry.value) like ${pattern})`
  return `(lower(name) like ${pattern} or ${values('labels')}${columns.hasTags ? ` or ${values('tags')}` : ''})`
}

function conditionOf(kind: ResourceKind, selector: Selector, param: Param): string {
  if (selector.isEmpty) return never
  const columns = kindColumns[kind]
  if (selector.id !== '' && !isUuid(selector.id)) return never
  if (selector.tags.length > 0 && !columns.hasTags) return never
  const parts: (string | undefined)[] = [
    selector.includeDeleted ? undefined : 'deleted_at is null',
    selector.id === '' ? undefined : `id = ${param(selector.id)}::uuid`,
    selector.name === '' ? undefined : `name = ${param(selector.name)}`,
    selector.namespace === '' ? undefined : `${columns.namespace} = ${param(selector.namespace)}`,
    agentCondition(selector.agent, param),
    scopeCondition(columns, selector.scope, param),
    listCondition(selector.types, 'type', param),
    listCondition(selector.statuses, 'status', param),
    ...selector.labels.map((one) => labelCondition('labels', one, param)),
    ...selector.tags.map((one) => labelCondition('tags', one, param)),
    ...selector.fields.map((one) => fieldCondition(columns, one, param)),
    searchCondition(columns, selector.search, param),
  ]
  return parts.filter((part) => part !== undefined).join(' and ') || 'true'
}

/** What any of the selectors means, as a condition on the kind's table; parameters start behind `taken` others. */
export function selectorWhere(kind: ResourceKind, selectors: readonly Selector[], taken = 0): Where {
  const values: unknown[] = []
  const param: Param = (value) => {
    values.push(value)
    return `$${taken + values.length}`
  }
  const conditions = selectors
    .map((selector) => conditionOf(kind, selector, param))
    .filter((condition) => condition !== never)
  return {
    text: conditions.length === 0 ? never : conditions.map((condition) => `(${condition})`).join(' or '),
    values,
  }
}
