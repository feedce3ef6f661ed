import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { put, type Value } from '../values/values.ts'
import { list, map, text } from './args.ts'

/** Rows of a CSV text: quoted fields, doubled quotes, line breaks inside quotes; empty lines are skipped. */
export function parseCsv(run: Run, source: string, delimiter = ','): string[][] {
  run.spendText(source.length * 8)
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const end = source.length
  const endRow = () => {
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  while (at <= end) {
    if (source[at] === '"') {
      let field = ''
      at++
      for (;;) {
        const close = source.indexOf('"', at)
        if (close < 0) throw new ValueError('the CSV text ends inside a quoted field')
        field += source.slice(at, close)
        at = close + 1
        if (source[at] !== '"') break
        field += '"'
        at++
      }
      row.push(field)
    } else {
      const stop = /[\r\n]/g
      stop.lastIndex = at
      const lineEnd = stop.exec(source)?.index ?? end
      const comma = source.indexOf(delimiter, at)
      const to = comma >= 0 && comma < lineEnd ? comma : lineEnd
      row.push(source.slice(at, to))
      at = to
    }
    if (at >= end) {
      endRow()
      break
    }
    const lineEnd = /^\r?\n|^\r/.exec(source.slice(at, at + 2))?.[0]
    if (lineEnd !== undefined) {
      at += lineEnd.length
      endRow()
    } else if (source.startsWith(delimiter, at)) at += delimiter.length
    else throw new ValueError('the CSV text has characters after a quoted field')
    if (at === end && row.length === 0) break
  }
  return rows
}

/** A text, or its lines. */
const sourceOf = (value: Value) => (Array.isArray(value) ? value.map(text).join('\n') : text(value))

export const csv = (run: Run, value: Value, delimiter = ','): string[][] => parseCsv(run, sourceOf(value), delimiter)

/** The header: given as text or list, or the first row; an empty text makes A, B, C. */
function headed(run: Run, value: Value, delimiter: string, header?: Value): { names: string[]; rows: string[][] } {
  const rows = parseCsv(run, sourceOf(value), delimiter)
  if (header === undefined || header === null) return { names: rows[0] ?? [], rows: rows.slice(1) }
  const given = Array.isArray(header) ? header.map(text) : text(header).split(delimiter)
  if (given.length > 1 || given[0] !== '') return { names: given, rows }
  return { names: (rows[0] ?? []).map((_, index) => columnName(index)), rows }
}

const columnName = (index: number): string =>
  (index >= 26 ? columnName(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

export function csvByRow(run: Run, value: Value, delimiter = ',', header?: Value): Record<string, unknown>[] {
  const { names, rows } = headed(run, value, delimiter, header)
  return rows.map((row) => {
    const made: Record<string, unknown> = {}
    names.forEach((name, index) => put(made, name, row[index] ?? ''))
    return made
  })
}

export function csvByColumn(run: Run, value: Value, delimiter = ',', header?: Value): Record<string, unknown> {
  const { names, rows } = headed(run, value, delimiter, header)
  const made: Record<string, unknown> = {}
  names.forEach((name, index) =>
    put(
      made,
      name,
      rows.map((row) => row[index] ?? ''),
    ),
  )
  return made
}

/** Lines end with CR LF, as RFC 4180 says. Rows are lists, or maps whose keys become the first line. */
export function toCsv(run: Run, value: Value, delimiter = ','): string {
  const given = list(value)
  const named = given.length > 0 && given.every((row) => row !== null && typeof row === 'object' && !Array.isArray(row))
  const names = named ? [...new Set(given.flatMap((row) => Object.keys(map(row))))] : []
  const rows = named
    ? [names, ...given.map((row) => names.map((name) => text((row as Record<string, unknown>)[name])))]
    : given.map((row) => (Array.isArray(row) ? row.map(text) : [text(row)]))
  const quoted = (field: string) =>
    field.includes(delimiter) || /["\r\n]|^\s/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
  const out = rows.map((row) => `${row.map(quoted).join(delimiter)}\r\n`).join('')
  run.allowText(out.length)
  return out
}
