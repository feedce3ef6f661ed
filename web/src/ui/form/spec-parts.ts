import { get } from 'react-hook-form'
import { isObject } from '@/lib/is-object.ts'
import type { FieldSpec } from './declare.ts'
import type { Kind } from './kind-picker.tsx'
import { isEmpty } from './messages.ts'

/** A spec as people write it; forms know only parts of it. */
export type Spec = Record<string, unknown>

/** A kind of part: with fields it has a form, without them it is written as YAML. */
export interface PartKind extends Kind {
  fields?: readonly FieldSpec[]
}

/** A part of a spec, such as its second http check: where it is, what it is called, and its kind when that is known. */
export interface SpecPart<K extends PartKind = PartKind> {
  key: string
  index: number
  /** `http.1` */
  path: string
  /** As it is written there; empty when it has none. */
  name: string
  label: string
  kind: K | undefined
}

/** Every part of a spec in the order written; `telling` are the fields that tell parts of one kind apart, best first. */
export function partsOf<K extends PartKind>(
  spec: Spec,
  kinds: readonly K[],
  telling: readonly string[] = ['name'],
): SpecPart<K>[] {
  return Object.entries(spec).flatMap(([key, list]) => {
    if (!Array.isArray(list)) return []
    const kind = kinds.find((each) => each.key === key)
    return list.flatMap((part: unknown, index): SpecPart<K>[] => {
      if (!isObject(part)) return []
      const found = telling.map((field) => part[field]).find((value) => typeof value === 'string' && value !== '')
      const name = typeof found === 'string' ? found : ''
      return [{ key, index, path: `${key}.${index}`, name, kind, label: name || `${kind?.label ?? key} ${index + 1}` }]
    })
  })
}

/** The names of fields, also of those in sections. */
export const namesOf = (fields: readonly FieldSpec[]): string[] =>
  fields.flatMap((field) => (field.kind === 'section' ? namesOf(field.fields) : [field.name]))

const isBlank = (value: unknown) => value !== false && isEmpty(value)

/**
 * What is saved: a field of a form that was left or made empty leaves the spec, whatever the forms do not know stays as
 * it is. `false` and 0 are values, not empty fields.
 */
export function withoutEmptyFields(spec: Spec, parts: (spec: Spec) => SpecPart[], more: readonly string[] = []): Spec {
  const copy = structuredClone(spec)
  for (const { path, kind } of parts(copy)) {
    const part = get(copy, path) as Record<string, unknown>
    for (const name of namesOf(kind?.fields ?? [])) dropBlank(part, name.split('.'))
  }
  for (const name of more) dropBlank(copy, name.split('.'))
  return copy
}

/** Takes an empty value away, and the objects around it that held nothing else. */
function dropBlank(around: Record<string, unknown>, [name = '', ...rest]: string[]): void {
  const value = around[name]
  if (rest.length > 0) {
    if (!isObject(value)) return
    dropBlank(value, rest)
  } else if (Array.isArray(value)) {
    // A row loses what was left empty in it, a list its empty rows.
    for (const row of value) if (isObject(row)) for (const key of Object.keys(row)) dropBlank(row, [key])
    around[name] = value.filter((row) => !isBlank(row))
  }
  if (isBlank(around[name])) delete around[name]
}
