import { get } from 'react-hook-form'
import type { FieldSpec } from '@/ui/form/declare.ts'
import { isEmpty } from '@/ui/form/messages.ts'
import { placedFields } from '@/ui/form/placed-fields.ts'
import { kinds, type ScraperKind } from './kinds/all.ts'
import { retention } from './kinds/kind.ts'

/** The spec of a scraper as people write it; the forms know only parts of it. */
export type Spec = Record<string, unknown>

export interface ScraperValues {
  /** Of a stored one. */
  id?: string
  name: string
  source: string
  spec: Spec
}

/** A source inside a spec: where it is, and its kind when that is known. */
export interface SourcePlace {
  key: string
  index: number
  label: string
  kind: ScraperKind | undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What tells sources of one kind apart, most telling first. */
const telling = ['clusterName', 'name', 'repository', 'organization', 'subscriptionID', 'url', 'connection', 'type']

/** Every source of a spec, in the order written. */
export function sourcesOf(spec: Spec): SourcePlace[] {
  return Object.entries(spec).flatMap(([key, list]) => {
    if (!Array.isArray(list)) return []
    const kind = kinds.find((each) => each.key === key)
    return list.flatMap((source: unknown, index): SourcePlace[] => {
      if (!isObject(source)) return []
      const name = telling.map((part) => source[part]).find((value) => typeof value === 'string' && value !== '')
      return [{ key, index, kind, label: typeof name === 'string' ? name : `${kind?.label ?? key} ${index + 1}` }]
    })
  })
}

/** The kinds of source a spec holds, by what people call them. */
export const kindLabels = (spec: Spec): string[] => [
  ...new Set(sourcesOf(spec).map((place) => place.kind?.label ?? place.key)),
]

/** The icon of what a spec reads first. */
export const iconOfSpec = (spec: unknown): string | undefined =>
  isObject(spec) ? sourcesOf(spec).find((place) => place.kind)?.kind?.icon : undefined

const pathsOf = (fields: readonly FieldSpec[]): string[] =>
  fields.flatMap((field) => (field.kind === 'section' ? pathsOf(field.fields) : [field.name]))

/**
 * What is saved: a field of a form that was left or made empty leaves the spec, whatever the forms do not know stays as
 * it is. `false` and 0 are values, not empty fields.
 */
export function withoutEmptyFields(spec: Spec): Spec {
  const copy = structuredClone(spec)
  for (const place of sourcesOf(copy)) {
    const prefix = `${place.key}.${place.index}`
    for (const path of pathsOf(placedFields(place.kind?.fields ?? [], prefix))) clear(copy, path, prefix)
  }
  for (const path of [...pathsOf([retention]), 'schedule']) clear(copy, path, '')
  return copy
}

function clear(spec: Spec, path: string, end: string): void {
  const value: unknown = get(spec, path)
  if (Array.isArray(value)) {
    for (const row of value) if (isObject(row)) dropEmpty(row)
    const kept = value.filter((item) => !(isEmpty(item) && item !== false && item !== 0))
    if (kept.length < value.length) put(spec, path, kept)
  }
  const left: unknown = get(spec, path)
  if (left !== false && isEmpty(left)) remove(spec, path, end)
}

/** A row of a list loses what was left empty in it. */
function dropEmpty(row: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(row)) if (value !== false && isEmpty(value)) delete row[key]
}

function put(spec: Spec, path: string, value: unknown): void {
  const dot = path.lastIndexOf('.')
  const around: unknown = dot < 0 ? spec : get(spec, path.slice(0, dot))
  if (isObject(around)) around[path.slice(dot + 1)] = value
}

/** Takes a value away, and the objects around it that held nothing else. */
function remove(spec: Spec, path: string, end: string): void {
  const dot = path.lastIndexOf('.')
  const parent = dot < 0 ? '' : path.slice(0, dot)
  const around: unknown = parent === '' ? spec : get(spec, parent)
  if (!isObject(around)) return
  delete around[path.slice(dot + 1)]
  if (parent !== '' && parent !== end && Object.keys(around).length === 0) remove(spec, parent, end)
}

export function startValues(kind: ScraperKind): ScraperValues {
  return { name: '', source: 'UI', spec: structuredClone(kind.start) }
}
