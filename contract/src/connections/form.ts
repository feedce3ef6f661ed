import type { ConnectionColumns, ConnectionField, ConnectionKind, Place, Values } from './kind.ts'

const propertyOf = (place: Place) => (place.startsWith('properties.') ? place.slice('properties.'.length) : undefined)

function stored(row: ConnectionColumns, place: Place): string | boolean | undefined {
  const key = propertyOf(place)
  const value = key === undefined ? row[place as keyof ConnectionColumns] : row.properties?.[key]
  return (value as string | boolean | null | undefined) ?? undefined
}

function read(field: ConnectionField, row: ConnectionColumns): Values[string] {
  if (field.derived) return field.derived(row)
  const value = [field.to, ...(field.also ?? [])].map((place) => stored(row, place)).find((each) => each !== undefined)
  if (field.kind === 'switch') return value === true || value === 'true'
  if (value === undefined || field.kind !== 'number') return value
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** What a form of this type starts with: the stored values, or the defaults of a new one. */
export function valuesOf(kind: ConnectionKind, row?: ConnectionColumns): Values {
  return Object.fromEntries(
    kind.fields.map((field) => [field.key, (row ? read(field, row) : field.default) ?? emptyOf(field)]),
  )
}

const emptyOf = ({ kind }: ConnectionField) => (kind === 'switch' ? false : kind === 'number' ? undefined : '')

/** Whether a field is part of the form with these values. */
export const isShown = ({ when }: ConnectionField, values: Values): boolean =>
  when === undefined || when.is.includes(values[when.key] as string | boolean)

/**
 * The columns a filled form stands for. What is not shown is emptied, properties the form does not know are kept, and a
 * hidden value stays hidden: the server then leaves what it has.
 */
export function columnsOf(kind: ConnectionKind, values: Values, row?: ConnectionColumns): ConnectionColumns {
  const columns: ConnectionColumns = {
    url: row?.url ?? null,
    username: row?.username ?? null,
    password: row?.password ?? null,
    certificate: row?.certificate ?? null,
    insecure_tls: row?.insecure_tls ?? false,
    properties: { ...row?.properties },
  }
  for (const field of kind.fields) {
    if (field.derived) continue
    const value = isShown(field, values) ? values[field.key] : undefined
    for (const place of [field.to, ...(field.also ?? [])]) write(columns, place, value)
  }
  if (kind.url) columns.url = kind.url(values)
  if (Object.keys(columns.properties!).length === 0) columns.properties = null
  return columns
}

function write(columns: ConnectionColumns, place: Place, value: Values[string]) {
  const text = value === undefined || value === '' ? undefined : String(value)
  const key = propertyOf(place)
  if (place === 'insecure_tls') columns.insecure_tls = value === true
  else if (key === undefined) columns[place as 'url'] = text ?? null
  else if (text === undefined) delete columns.properties![key]
  else columns.properties![key] = text
}

/** Columns and properties of a type whose values nobody sees again, beside passwords and certificates. */
export function secretPlaces(kind: ConnectionKind | undefined): Set<Place> {
  const own = (kind?.fields ?? []).filter((field) => field.kind === 'secret' && !field.derived)
  return new Set<Place>(['password', 'certificate', ...own.map(({ to }) => to)])
}
