import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { Duration } from '../values/duration.ts'
import { Moment } from '../values/moment.ts'
import { numberText } from '../values/print.ts'
import { compareText, entriesOf, isList, isMap, TypeValue, Uint, type Value } from '../values/values.ts'
import { toText } from './convert.ts'
import { shownKind } from './operators.ts'

const escapes: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}
/** A text as a literal of the language. */
export const quoteCel = (text: string): string =>
  `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (character) => escapes[character]!)}"`

/** How %s shows a value: texts as they are, inside lists and maps in the same plain way. */
function shown(value: Value): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number')
    return Number.isFinite(value)
      ? numberText(value)
      : Number.isNaN(value)
        ? 'NaN'
        : value > 0
          ? 'Infinity'
          : '-Infinity'
  if (isList(value)) return `[${value.map(shown).join(', ')}]`
  if (isMap(value)) {
    const entries = entriesOf(value).map(([key, item]) => [shown(key), shown(item)] as const)
    return `{${entries
      .sort((a, b) => compareText(a[0], b[0]))
      .map(([key, item]) => `${key}: ${item}`)
      .join(', ')}}`
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString()
  if (value instanceof Moment || value instanceof Duration || value instanceof TypeValue) return toText(value)
  return toText(value)
}

function whole(value: Value): bigint | undefined {
  return typeof value === 'bigint' ? value : value instanceof Uint ? value.value : undefined
}

function based(value: Value, verb: string): string {
  const number = typeof value === 'boolean' ? BigInt(value) : whole(value)
  const hex = verb.toLowerCase() === 'x'
  if (hex && (typeof value === 'string' || value instanceof Uint8Array)) {
    const text = Buffer.from(value as string).toString('hex')
    return verb === 'X' ? text.toUpperCase() : text
  }
  if (number === undefined) throw new ValueError(`%${verb} cannot show ${shownKind(value)}`)
  const text = number.toString(hex ? 16 : verb === 'o' ? 8 : 2)
  return verb === 'X' ? text.toUpperCase() : text
}

function fixed(value: Value, verb: string, precision: number): string {
  const number =
    typeof value === 'number'
      ? value
      : typeof value === 'string' && /^(NaN|-?Infinity)$/.test(value)
        ? Number(value)
        : Number(whole(value) ?? Number.NaN)
  if (typeof value !== 'number' && whole(value) === undefined && typeof value !== 'string')
    throw new ValueError(`%${verb} cannot show ${shownKind(value)}`)
  if (!Number.isFinite(number)) return Number.isNaN(number) ? 'NaN' : number > 0 ? 'Infinity' : '-Infinity'
  return verb === 'f' ? number.toFixed(precision) : number.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2')
}

/** The language's format(): %s %d %f %e %b %o %x %X, with a precision for fractions. */
export function formatText(run: Run, pattern: string, args: Value): string {
  if (!isList(args)) throw new ValueError(`format() needs a list, not ${shownKind(args)}`)
  let next = 0
  const made = pattern.replace(/%(?:\.(\d{1,3}))?(.|$)/gs, (_, precision: string | undefined, verb: string) => {
    if (verb === '%') return '%'
    if (next >= args.length) throw new ValueError(`format() has ${args.length} values, more are asked for`)
    const value = args[next++]
    run.spend(4)
    switch (verb) {
      case 's':
        return shown(value)
      case 'd': {
        const number = whole(value)
        if (number !== undefined) return String(number)
        if (typeof value === 'number') return fixed(value, 'f', 0)
        throw new ValueError(`%d cannot show ${shownKind(value)}`)
      }
      case 'f':
      case 'e':
        return fixed(value, verb, Math.min(precision === undefined ? 6 : Number(precision), 100))
      case 'b':
      case 'o':
      case 'x':
      case 'X':
        return based(value, verb)
      default:
        throw new ValueError(`format() does not know %${verb}`)
    }
  })
  run.allowText(made.length)
  return made
}
