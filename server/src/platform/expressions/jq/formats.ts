import type { Run } from '../run.ts'
import { JqError, typeName, withValue } from './data.ts'

export function toJsonText(value: unknown): string {
  // jq has no NaN or infinity in its output.
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== 'number' || Number.isFinite(item)) return item
    return Number.isNaN(item) ? null : item > 0 ? Number.MAX_VALUE : -Number.MAX_VALUE
  })
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : toJsonText(value))

const html: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', "'": '&#39;', '"': '&quot;' }

function row(value: unknown, separator: string, text: (item: string) => string): string {
  if (!Array.isArray(value))
    throw new JqError(
      `${withValue(value)} cannot be ${separator === ',' ? 'csv' : 'tsv'}-formatted, only an array can be`,
    )
  return value
    .map((item: unknown) => {
      if (typeof item === 'string') return text(item)
      if (item === null) return ''
      if (typeof item === 'number' || typeof item === 'boolean') return toJsonText(item)
      throw new JqError(`${withValue(item)} is not valid in a ${separator === ',' ? 'csv' : 'tsv'} row`)
    })
    .join(separator)
}

/** `@name` applied to a value. */
export function formatted(name: string, value: unknown, run: Run): string {
  const made = apply(name, value)
  run.allowText(made.length)
  return made
}

function apply(name: string, value: unknown): string {
  switch (name) {
    case 'text':
      return textOf(value)
    case 'json':
      return toJsonText(value)
    case 'html':
      return textOf(value).replace(/[<>&'"]/g, (character) => html[character]!)
    case 'uri':
      return encodeURIComponent(textOf(value)).replace(
        /[!'()*]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      )
    case 'urid':
      try {
        return decodeURIComponent(textOf(value))
      } catch {
        throw new JqError(`${withValue(value)} is not a valid uri encoding`)
      }
    case 'csv':
      return row(value, ',', (item) => `"${item.replaceAll('"', '""')}"`)
    case 'tsv':
      return row(value, '\t', (item) =>
        item.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r'),
      )
    case 'sh': {
      const words = Array.isArray(value) ? value : [value]
      return words
        .map((item: unknown) => {
          if (Array.isArray(item) || typeName(item) === 'object')
            throw new JqError(`${withValue(item)} can not be escaped for shell`)
          return typeof item === 'string' ? `'${item.replaceAll("'", `'\\''`)}'` : toJsonText(item)
        })
        .join(' ')
    }
    case 'base64':
      return Buffer.from(textOf(value)).toString('base64')
    case 'base64d': {
      const text = textOf(value)
      if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new JqError(`${withValue(value)} is not valid base64 data`)
      return Buffer.from(text, 'base64').toString()
    }
    default:
      throw new JqError(`${name} is not a valid format`)
  }
}
