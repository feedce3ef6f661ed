import type { Access } from './plan/access.ts'
import type { Column, Relation, Routine, SchemaCache } from './schema/model.ts'

/** What the caller may use, in the form PostgREST describes itself in (OpenAPI 2), so that its tools can read it. */
export function openApi(schema: SchemaCache, access: Access) {
  const relations = access.readable().map((name) => schema.relations.get(name)!)
  const routines = access.callable()
  return {
    swagger: '2.0',
    info: { title: 'Quarterdeck data API', description: 'See docs/data-api.md.', version: '1' },
    basePath: '/',
    schemes: ['http', 'https'],
    consumes: ['application/json', 'text/csv', 'application/x-www-form-urlencoded'],
    produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'],
    paths: {
      ...Object.fromEntries(relations.map((relation) => [`/${relation.name}`, relationPath(relation, access)])),
      ...Object.fromEntries(routines.map((routine) => [`/rpc/${routine.name}`, routinePath(routine, access)])),
    },
    definitions: Object.fromEntries(relations.map((relation) => [relation.name, definition(relation)])),
    parameters: parameters(),
  }
}

const answers = { 200: { description: 'OK' } }
const shared = (name: string) => ({ $ref: `#/parameters/${name}` })

function relationPath(relation: Relation, access: Access) {
  const { name } = relation
  const tags = [name]
  const filters = [...relation.columns.keys()].map((column) => ({
    name: column,
    in: 'query',
    required: false,
    type: 'string',
  }))
  const body = { name: 'body', in: 'body', required: false, schema: { $ref: `#/definitions/${name}` } }
  const read = ['select', 'order', 'limit', 'offset', 'range', 'prefer'].map(shared)
  return {
    get: { tags, summary: relation.comment ?? undefined, parameters: [...filters, ...read], responses: answers },
    ...(access.canWrite(name, 'insert')
      ? {
          post: {
            tags,
            parameters: [body, shared('select'), shared('prefer')],
            responses: { 201: { description: 'Created' } },
          },
        }
      : {}),
    ...(access.canWrite(name, 'update')
      ? { patch: { tags, parameters: [...filters, body, shared('prefer')], responses: answers } }
      : {}),
    ...(access.canWrite(name, 'delete')
      ? { delete: { tags, parameters: [...filters, shared('prefer')], responses: answers } }
      : {}),
  }
}

function routinePath(routine: Routine, access: Access) {
  const tags = [`rpc ${routine.name}`]
  const args = routine.args.filter((arg) => arg.name !== '')
  const properties = Object.fromEntries(args.map((arg) => [arg.name, { format: arg.type }]))
  const required = args.filter((arg) => !arg.optional).map((arg) => arg.name)
  const query = args.map((arg) => ({
    name: arg.name,
    in: 'query',
    required: !arg.optional,
    type: 'string',
    format: arg.type,
  }))
  const body = {
    name: 'args',
    in: 'body',
    required: required.length > 0,
    schema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
  }
  return {
    ...(access.functionRule(routine.name)?.action === 'read'
      ? { get: { tags, parameters: query, responses: answers } }
      : {}),
    post: { tags, parameters: [body], responses: answers },
  }
}

function definition(relation: Relation) {
  const required = [...relation.columns.values()]
    .filter((c) => !c.nullable && c.default === null && !c.generated)
    .map((c) => c.name)
  return {
    description: relation.comment ?? undefined,
    type: 'object',
    ...(required.length > 0 && relation.kind === 'table' ? { required } : {}),
    properties: Object.fromEntries(
      [...relation.columns.values()].map((column) => [column.name, property(relation, column)]),
    ),
  }
}

function property(relation: Relation, column: Column) {
  const notes = [
    column.comment,
    relation.primaryKey.includes(column.name) ? 'Note:\nThis is a Primary Key.<pk/>' : undefined,
  ]
  const description = notes.filter(Boolean).join('\n\n')
  return {
    ...jsonType(column),
    format: column.type,
    ...(description ? { description } : {}),
    ...(column.default ? { default: column.default } : {}),
  }
}

function jsonType({ family }: Column): { type?: string; items?: object } {
  switch (family) {
    case 'boolean':
      return { type: 'boolean' }
    case 'number':
      return { type: 'number' }
    case 'array':
      return { type: 'array', items: {} }
    case 'json':
    case 'jsonb':
      return {}
    default:
      return { type: 'string' }
  }
}

function parameters() {
  const query = (name: string, description: string) => ({
    name,
    in: 'query',
    description,
    required: false,
    type: 'string',
  })
  return {
    select: query('select', 'Columns and embedded resources'),
    order: query('order', 'Order'),
    limit: query('limit', 'Rows at most'),
    offset: query('offset', 'Rows to skip'),
    range: { name: 'Range', in: 'header', required: false, type: 'string' },
    prefer: { name: 'Prefer', in: 'header', required: false, type: 'string' },
  }
}
