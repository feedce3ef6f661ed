import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { CodeSize } from '../code/code-editor.tsx'
import type { SchemaObject } from '../code/json-schema.ts'
import { type Option, toOptions } from '../option.ts'
import type { Limits } from './messages.ts'
import type { ScheduleList } from './schedules.ts'
import type { SecretSource } from './secrets.ts'

/** What every declared field may say. */
export interface FieldOptions extends Limits {
  label?: string
  hint?: ReactNode
  placeholder?: string
  default?: unknown
  /** Shown only while this holds; a hidden field keeps its value and is not checked. */
  when?: (values: FieldValues) => boolean
  readOnly?: boolean | ((values: FieldValues) => boolean)
  /** Takes the whole width where fields stand in two columns. */
  wide?: boolean
}

interface Base extends FieldOptions {
  name: string
}

/** One field as data; a form is a list of them. */
export type FieldSpec =
  | (Base & { kind: 'text'; type?: 'text' | 'email' | 'url'; multiline?: boolean })
  | (Base & { kind: 'number'; unit?: string })
  | (Base & { kind: 'checkbox' | 'switch' | 'memory' | 'cpu' | 'duration' | 'password' | 'tags' | 'labels' | 'icon' })
  | (Base & { kind: 'map'; keyLabel?: string; valueLabel?: string })
  | (Base & { kind: 'list'; itemLabel?: string })
  | (Base & { kind: 'choice' | 'search' | 'many'; options: readonly Option[]; creatable?: boolean })
  | (Base & { kind: 'schedule'; list?: ScheduleList })
  | (Base & {
      kind: 'secret'
      format?: 'text' | 'env'
      multiline?: boolean
      plain?: boolean
      sources?: readonly SecretSource[]
      hidden?: string
    })
  | (Base & { kind: 'spec'; language?: 'yaml' | 'json'; schema?: SchemaObject | string; size?: CodeSize })
  | (Base & { kind: 'code'; language?: 'yaml' | 'json' | 'text'; schema?: SchemaObject | string; size?: CodeSize })
  /** A control of the area's own: a picker for people, a test button. */
  | (Base & { kind: 'custom'; render: (field: Base) => ReactNode })
  /** Fields under a heading. */
  | {
      kind: 'section'
      label: string
      hint?: ReactNode
      fields: readonly FieldSpec[]
      when?: FieldOptions['when']
      collapsed?: boolean
    }

type Kind = FieldSpec['kind']
type Matching<F, K> = F extends { kind: infer Kinds } ? (K extends Kinds ? F : never) : never
type Of<K extends Kind> = Matching<FieldSpec, K>
type Extra<K extends Kind> = Omit<Of<K>, 'kind' | 'name'>

const make =
  <K extends Exclude<Kind, 'section'>>(kind: K, preset?: Partial<Extra<K>>) =>
  (name: string, options: Partial<Extra<K>> = {}) =>
    ({ kind, name, ...preset, ...options }) as unknown as Of<K>

// The words of a declaration: fields: [text('host', { required: true }), port('port', 22), secret('password')]
export const text = make('text')
export const email = make('text', { type: 'email' })
export const url = make('text', { type: 'url' })
export const multiline = make('text', { multiline: true, wide: true })
export const password = make('password')
export const checkbox = make('checkbox')
export const toggle = make('switch')
export const memory = make('memory')
export const cpu = make('cpu')
export const duration = make('duration')
export const tags = make('tags', { wide: true })
export const labels = make('labels', { wide: true })
export const icon = make('icon')
export const map = make('map', { wide: true })
export const list = make('list', { wide: true })
export const schedule = make('schedule')
export const secret = make('secret')
/** A secret-capable field of a spec: writes value or valueFrom. */
export const envVar = make('secret', { format: 'env' })
export const certificate = make('secret', { multiline: true, wide: true })
export const spec = make('spec', { wide: true })
export const code = make('code', { wide: true })
export const custom = make('custom')

export const number = (name: string, options: Partial<Extra<'number'>> = {}) => make('number')(name, options)

/** A TCP port with its usual value. */
export const port = (name: string, usual?: number, options: Partial<Extra<'number'>> = {}) =>
  make('number')(name, { default: usual, min: 1, max: 65_535, ...options })

const optionsOf = (options: readonly Option[] | readonly string[]) =>
  typeof options[0] === 'string' ? toOptions(options as readonly string[]) : (options as readonly Option[])

/** One of a short list. */
export const choice = (
  name: string,
  options: readonly Option[] | readonly string[],
  more: Partial<Extra<'choice'>> = {},
) => make('choice')(name, { ...more, options: optionsOf(options) })

/** One of a long list, by search. */
export const search = (
  name: string,
  options: readonly Option[] | readonly string[],
  more: Partial<Extra<'search'>> = {},
) => make('search')(name, { ...more, options: optionsOf(options) })

/** Several of a list. */
export const many = (name: string, options: readonly Option[] | readonly string[], more: Partial<Extra<'many'>> = {}) =>
  make('many')(name, { ...more, options: optionsOf(options) })

export const section = (
  label: string,
  fields: readonly FieldSpec[],
  more: { hint?: ReactNode; when?: FieldOptions['when']; collapsed?: boolean } = {},
): FieldSpec => ({
  kind: 'section',
  label,
  fields,
  ...more,
})

/** The values a form of these fields starts with: their defaults, below what is given. */
export function defaultsOf(fields: readonly FieldSpec[], given: FieldValues = {}): FieldValues {
  const values = structuredClone(given)
  for (const field of fields) {
    if (field.kind === 'section') Object.assign(values, defaultsOf(field.fields, values))
    else if (field.default !== undefined) setDefault(values, field.name.split('.'), field.default)
  }
  return values
}

function setDefault(values: Record<string, unknown>, [first, ...rest]: string[], value: unknown) {
  if (first === undefined) return
  if (rest.length === 0) values[first] ??= value
  else {
    const inner = values[first]
    const next = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
    values[first] = next
    setDefault(next, rest, value)
  }
}

/** A resource that something else than this console wrote: its spec and labels are read-only here. */
export function isManagedElsewhere(source: unknown): boolean {
  return typeof source === 'string' && source !== '' && source !== 'UI'
}
