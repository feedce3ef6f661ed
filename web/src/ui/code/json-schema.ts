/** Reading a JSON Schema the way an editor needs it: what may stand at a path, and what is said about it. */

export type Schema = boolean | SchemaObject
export interface SchemaObject {
  $schema?: string
  $ref?: string
  $defs?: Record<string, Schema>
  definitions?: Record<string, Schema>
  title?: string
  description?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: Schema
  required?: string[]
  items?: Schema | Schema[]
  prefixItems?: Schema[]
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  then?: Schema
  else?: Schema
  deprecated?: boolean
}

export type Path = readonly (string | number)[]

function lookUp(root: SchemaObject, ref: string): Schema | undefined {
  if (!ref.startsWith('#')) return undefined
  let current: unknown = root
  for (const part of ref.slice(1).split('/').filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof current !== 'object' || current === null) return undefined
    current = (current as Record<string, unknown>)[key]
  }
  return current as Schema | undefined
}

/** A schema with its references and alternatives laid side by side; references in circles are followed once. */
export function alternatives(root: SchemaObject, schema: Schema | undefined, seen = new Set<Schema>()): SchemaObject[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  const inner = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), schema.then, schema.else]
  return [
    schema,
    ...(schema.$ref ? alternatives(root, lookUp(root, schema.$ref), seen) : []),
    ...inner.flatMap((each) => alternatives(root, each, seen)),
  ]
}

/** The schemas that a value at this path has to meet. */
export function schemasAt(root: SchemaObject, path: Path): SchemaObject[] {
  let current = alternatives(root, root)
  for (const step of path) {
    current = current.flatMap((schema) => children(schema, step)).flatMap((child) => alternatives(root, child))
    if (current.length === 0) break
  }
  return current
}

function children(schema: SchemaObject, step: string | number): (Schema | undefined)[] {
  if (typeof step === 'number') {
    if (Array.isArray(schema.items)) return [schema.items[step]]
    return [schema.prefixItems?.[step] ?? schema.items]
  }
  const named = schema.properties && Object.hasOwn(schema.properties, step) ? schema.properties[step] : undefined
  if (named !== undefined) return [named]
  const patterned = Object.entries(schema.patternProperties ?? {}).filter(([pattern]) => matches(pattern, step))
  return patterned.length > 0 ? patterned.map(([, child]) => child) : [schema.additionalProperties]
}

function matches(pattern: string, text: string) {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}

export interface Property {
  name: string
  schema: SchemaObject
  isRequired: boolean
}

/** The properties an object at this path may have. */
export function propertiesAt(root: SchemaObject, path: Path): Property[] {
  const found = new Map<string, Property>()
  for (const schema of schemasAt(root, path)) {
    for (const [name, child] of Object.entries(schema.properties ?? {})) {
      const all = alternatives(root, child)
      const merged: SchemaObject = Object.assign(
        {},
        ...all.toReversed().map(withoutChildren),
        typeof child === 'object' ? child : {},
      )
      const isRequired = (found.get(name)?.isRequired ?? false) || (schema.required?.includes(name) ?? false)
      found.set(name, { name, schema: merged, isRequired })
    }
  }
  return [...found.values()]
}

const withoutChildren = ({ type, description, title, properties, items, enum: choices, deprecated }: SchemaObject) =>
  Object.fromEntries(
    Object.entries({ type, description, title, properties, items, enum: choices, deprecated }).filter(
      ([, v]) => v !== undefined,
    ),
  )

/** The values that may stand at this path, where the schema lists them. */
export function valuesAt(root: SchemaObject, path: Path): { value: unknown; description?: string }[] {
  const found = new Map<string, { value: unknown; description?: string }>()
  const add = (value: unknown, description?: string) => {
    const key = JSON.stringify(value)
    if (key !== undefined && !found.has(key)) found.set(key, { value, description })
  }
  for (const schema of schemasAt(root, path)) {
    for (const value of schema.enum ?? []) add(value)
    if (schema.const !== undefined) add(schema.const, schema.description)
    if (typesOf(schema).includes('boolean')) [true, false].forEach((value) => add(value))
    if (schema.default !== undefined && typeof schema.default !== 'object') add(schema.default, 'default')
    for (const value of schema.examples ?? []) if (typeof value !== 'object') add(value, 'example')
  }
  return [...found.values()]
}

export function typesOf(schema: SchemaObject): string[] {
  if (schema.type) return Array.isArray(schema.type) ? schema.type : [schema.type]
  if (schema.properties || schema.additionalProperties) return ['object']
  return schema.items ? ['array'] : []
}

/** What the schema says about a path, for hovering. */
export function describe(root: SchemaObject, path: Path): string | undefined {
  return schemasAt(root, path).find((schema) => schema.description)?.description
}

const loaded = new Map<string, Promise<SchemaObject | undefined>>()

/** A schema by address, fetched once; one that cannot be had leaves the editor without help, not without function. */
export function loadSchema(address: string): Promise<SchemaObject | undefined> {
  let schema = loaded.get(address)
  if (!schema) {
    schema = fetch(address, { headers: { accept: 'application/json' } })
      .then((response) => (response.ok ? (response.json() as Promise<SchemaObject>) : undefined))
      .catch(() => undefined)
    loaded.set(address, schema)
    // A failure is not remembered, so that opening the editor again tries again.
    void schema.then((result) => result ?? loaded.delete(address))
  }
  return schema
}
