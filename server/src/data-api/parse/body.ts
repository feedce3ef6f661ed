import { isUtf8 } from 'node:buffer'
import { badBody, bodyTypeRefused } from '../errors.ts'
import { parseCsv } from './csv.ts'

export type Row = Record<string, unknown>

export interface Body {
  rows: Row[]
  /** Sent as one object, not as a list. */
  single: boolean
  /** The JSON as it was sent, so that no digit of a number is lost on the way; absent for CSV and forms. */
  json?: string
}

/** Reads a body of rows: JSON (one object or a list), CSV with a header line, or a form. */
export function parseBody(contentType: string | undefined, buffer: Buffer | undefined): Body {
  const type = (contentType ?? 'application/json').split(';')[0]!.trim().toLowerCase()
  const text = textOf(buffer)
  switch (type) {
    case '':
    case 'application/json':
    case 'application/vnd.pgrst.object+json':
    case 'application/vnd.pgrst.array+json':
      return jsonRows(text)
    case 'text/csv':
      return { rows: csvRows(text), single: false }
    case 'application/x-www-form-urlencoded':
      return { rows: [Object.fromEntries(new URLSearchParams(text))], single: true }
    default:
      throw bodyTypeRefused(type)
  }
}

export function textOf(buffer: Buffer | undefined): string {
  if (!buffer || buffer.length === 0) return ''
  if (!isUtf8(buffer)) throw badBody('The body is not valid UTF-8')
  const text = buffer.toString('utf8')
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

/** No document of a person is nested so far, and what walks documents does it by calling itself. */
const mostLevels = 250

/** Whether brackets are open more than `mostLevels` deep; those in quotes do not count. */
function isTooDeep(text: string): boolean {
  let level = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) at += character === '\\' ? 1 : 0
    else if (character === '{' || character === '[') level += 1
    else if (character === '}' || character === ']') level -= 1
    if (level > mostLevels) return true
  }
  return false
}

/** JSON.parse with a refusal of ours; nesting beyond what others can follow is refused as well. */
export function parseJson(text: string): unknown {
  if (text.length > mostLevels && isTooDeep(text))
    throw badBody('The body is nested too deeply', `More than ${mostLevels} levels are not taken.`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw badBody(
      'Empty or invalid json',
      error instanceof Error && error.name === 'SyntaxError' ? error.message.slice(0, 200) : 'nested too deeply',
    )
  }
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function jsonRows(json: string): Body {
  const value = parseJson(json)
  const rows = Array.isArray(value) ? value : [value]
  if (!rows.every(isRow)) throw badBody('The body must be an object or a list of objects')
  return { rows, single: !Array.isArray(value), json }
}

function csvRows(text: string): Row[] {
  const [header, ...lines] = parseCsv(text) ?? []
  if (!header || header.includes('')) throw badBody('The CSV must start with a line of column names')
  return lines.map((fields) => {
    if (fields.length !== header.length) throw badBody('All lines must have same number of fields')
    return Object.fromEntries(header.map((name, i) => [name, fields[i] === 'NULL' ? null : fields[i]]))
  })
}
