import { type OutputUnit, type Schema as CfSchema, type SchemaDraft, Validator } from '@cfworker/json-schema'
import { isCollection, isPair, isScalar, type Node, parseDocument } from 'yaml'
import type { SchemaObject } from './json-schema.ts'

/** A problem of a text, where it is and what it is. */
export interface Problem {
  from: number
  to: number
  severity: 'error' | 'warning'
  message: string
}

const validators = new WeakMap<SchemaObject, Validator>()

function validatorOf(schema: SchemaObject) {
  let validator = validators.get(schema)
  if (!validator) {
    const draft = /draft-0?(4|7)|(2019-09|2020-12)/.exec(schema.$schema ?? '')
    validator = new Validator(schema as CfSchema, (draft?.[1] ?? draft?.[2] ?? '2020-12') as SchemaDraft, false)
    validators.set(schema, validator)
  }
  return validator
}

/** Mistakes of YAML or JSON and violations of the schema. JSON is read as the YAML it is. */
export function diagnose(text: string, schema?: SchemaObject): Problem[] {
  if (text.trim() === '') return []
  const document = parseDocument(text, { merge: true, prettyErrors: false })
  const syntax = [...document.errors, ...document.warnings].map(({ pos, message, name }): Problem => ({
    from: Math.min(pos[0], text.length),
    to: Math.min(Math.max(pos[1], pos[0] + 1), text.length),
    severity: name === 'YAMLWarning' ? 'warning' : 'error',
    message,
  }))
  if (!schema || document.errors.length > 0) return syntax
  try {
    const { errors } = validatorOf(schema).validate(document.toJS({ maxAliasCount: 100 }) as unknown)
    return [...syntax, ...leaves(errors).map((error) => locate(document.contents, error, text.length))]
  } catch {
    // A schema the validator cannot use must not stop anybody from editing.
    return syntax
  }
}

/** Errors that say what is wrong; "does not match" of everything around them is left out, and so are repeated words. */
function leaves(errors: OutputUnit[]): OutputUnit[] {
  const wrappers = new Set([
    'properties',
    'items',
    'prefixItems',
    '$ref',
    'allOf',
    'anyOf',
    'oneOf',
    'patternProperties',
    'if',
    'then',
    'additionalProperties',
  ])
  const own = errors.filter((error) => !wrappers.has(error.keyword))
  const shown = own.length > 0 ? own : errors.slice(0, 1)
  const seen = new Set<string>()
  return shown
    .filter(
      (error) => !seen.has(error.instanceLocation + error.error) && seen.add(error.instanceLocation + error.error),
    )
    .slice(0, 100)
}

function locate(root: unknown, { instanceLocation, keyword, error }: OutputUnit, length: number): Problem {
  const path = instanceLocation
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
  let node: Node | null = root as Node | null
  let mark: Node | null = node
  for (const part of path) {
    if (!isCollection(node)) break
    const child: unknown = node.items.find((item, i) => (isPair(item) ? keyOf(item.key) === part : String(i) === part))
    // The key is a better place to point at than the whole value behind it.
    mark = (isPair(child) ? child.key : child) as Node | null
    node = (isPair(child) ? child.value : child) as Node | null
  }
  const range = mark?.range
  const from = Math.min(range?.[0] ?? 0, length)
  // Of an object only the first character is marked: underlining a whole document helps nobody.
  const to = isCollection(mark) ? from + 1 : (range?.[1] ?? from + 1)
  return {
    from,
    to: Math.min(Math.max(to, from), length),
    severity: 'error',
    message: keyword === 'false' ? `Unknown property "${path.at(-1)}".` : error,
  }
}

const keyOf = (key: unknown) => (isScalar(key) ? String(key.value) : String(key))
