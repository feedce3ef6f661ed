import { get } from 'react-hook-form'
import type { FieldSpec } from '@/ui/form/declare.ts'
import { isEmpty } from '@/ui/form/messages.ts'
import { placedFields } from '@/ui/form/placed-fields.ts'
import { type CheckKind, kinds } from './kinds/all.ts'

/** The spec of a canary as people write it; the forms know only parts of it. */
export type Spec = Record<string, unknown>

export interface CanaryValues {
  name: string
  namespace: string
  labels: Record<string, string>
  spec: Spec
}

/** A check inside a spec: where it is, and the form for its kind when there is one. */
export interface CheckPlace {
  key: string
  index: number
  name: string
  kind: CheckKind | undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Every check of a spec, in the order written. */
export function checksOf(spec: Spec): CheckPlace[] {
  return Object.entries(spec).flatMap(([key, list]) => {
    if (!Array.isArray(list)) return []
    return list.flatMap((check, index): CheckPlace[] =>
      isObject(check)
        ? [
            {
              key,
              index,
              name: typeof check.name === 'string' ? check.name : '',
              kind: kinds.find((kind) => kind.key === key && kind.fields !== undefined),
            },
          ]
        : [],
    )
  })
}

const pathsOf = (fields: readonly FieldSpec[]): string[] =>
  fields.flatMap((field) => (field.kind === 'section' ? pathsOf(field.fields) : [field.name]))

/**
 * What is saved: a field of a form that was left or made empty leaves the spec, whatever the forms do not know stays as
 * it is. `false` is a value, not an empty field.
 */
export function withoutEmptyFields(values: CanaryValues): CanaryValues {
  const copy = structuredClone(values)
  for (const place of checksOf(copy.spec)) {
    const prefix = `spec.${place.key}.${place.index}`
    for (const path of pathsOf(placedFields(place.kind?.fields ?? [], prefix))) {
      const value: unknown = get(copy, path)
      if (value !== false && isEmpty(value)) remove(copy, path, prefix)
    }
  }
  if (isEmpty(copy.spec.schedule)) delete copy.spec.schedule
  return copy
}

/** Takes a value away, and the objects around it that held nothing else. */
function remove(values: CanaryValues, path: string, end: string): void {
  const dot = path.lastIndexOf('.')
  const parent = path.slice(0, dot)
  const around: unknown = get(values, parent)
  if (!isObject(around)) return
  delete around[path.slice(dot + 1)]
  if (parent !== end && Object.keys(around).length === 0) remove(values, parent, end)
}

export function startValues(kind: CheckKind): CanaryValues {
  return { name: '', namespace: 'default', labels: {}, spec: structuredClone(kind.start) }
}

/** Where the name of the only check is, for as long as it bears the name of its canary or none. */
export function followingName(spec: Spec, canaryName: string): string | undefined {
  const [only, ...others] = checksOf(spec)
  if (!only || others.length > 0) return undefined
  return only.name === '' || only.name === canaryName ? `spec.${only.key}.${only.index}.name` : undefined
}
