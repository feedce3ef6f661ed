import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { goText } from '../values/print.ts'
import { goPrint, goPrintf } from '../values/printf.ts'
import { compare, equal, getKey, isMap, isNumeric, sizeOfMap, type Value } from '../values/values.ts'
import { urlEncode } from '../library/encoding.ts'
import type { TemplateFunction } from './execute.ts'
import { truth } from './truth.ts'

/** The functions every Go template has. `and` and `or` live in the executor, because they stop early. */

function order(name: string, left: Value, right: Value): number {
  const result = compare(left, right)
  if (result === undefined)
    throw new ValueError(
      typeof left === 'object' ? 'invalid type for comparison' : `incompatible types for comparison in ${name}`,
    )
  return result
}

const isBasic = (value: Value) => value === null || value === undefined || typeof value !== 'object' || isNumeric(value)

function equals(run: Run, left: Value, right: Value): boolean {
  const comparable =
    isBasic(left) && isBasic(right) && left !== null && right !== null && left !== undefined && right !== undefined
  if (comparable && typeof left !== typeof right && !(isNumeric(left) && isNumeric(right))) {
    throw new ValueError('incompatible types for comparison')
  }
  return equal(left, right, run)
}

function length(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length
  if (isMap(value)) return sizeOfMap(value)
  if (value === null || value === undefined) throw new ValueError('len of nil pointer')
  throw new ValueError(`len of type ${typeof value}`)
}

function position(value: Value, size: number, what: string): number {
  const index = typeof value === 'bigint' ? Number(value) : value
  if (value === null || value === undefined) throw new ValueError('cannot index slice/array with nil')
  if (typeof index !== 'number' || !Number.isInteger(index))
    throw new ValueError(`cannot index slice/array with type ${typeof value}`)
  if (index < 0 || index > size) throw new ValueError(`${what} out of range: ${index}`)
  return index
}

function index(run: Run, from: Value, ...keys: Value[]): Value {
  let value = from
  for (const key of keys) {
    run.spend(1)
    if (Array.isArray(value) || value instanceof Uint8Array) {
      const at = position(key, value.length, 'index')
      if (at === value.length) throw new ValueError(`index out of range: ${at}`)
      value = value[at]
    } else if (typeof value === 'string') {
      const bytes = Buffer.from(value)
      const at = position(key, bytes.length, 'index')
      if (at === bytes.length) throw new ValueError(`index out of range: ${at}`)
      value = bytes[at]
    } else if (isMap(value)) {
      if (!(value instanceof Map) && typeof key !== 'string')
        throw new ValueError(`value has type ${typeof key}; should be string`)
      value = getKey(value, key)
    } else
      throw new ValueError(
        value === null || value === undefined ? 'index of untyped nil' : `can't index item of type ${typeof value}`,
      )
  }
  return value
}

export function sliceOf(run: Run, value: Value, ...edges: Value[]): Value {
  if (edges.length > 3) throw new ValueError(`too many slice indexes: ${edges.length}`)
  if (typeof value === 'string' && edges.length === 3) throw new ValueError('cannot 3-index slice a string')
  const source = typeof value === 'string' ? Buffer.from(value) : value
  if (!Array.isArray(source) && !(source instanceof Uint8Array))
    throw new ValueError(`can't slice item of type ${typeof value}`)
  run.spend(source.length >>> 3)
  const [from = 0, to = source.length] = edges.map((edge) => position(edge, source.length, 'index'))
  if (from > to) throw new ValueError(`invalid slice index: ${from} > ${to}`)
  const part = source.slice(from, to)
  return typeof value === 'string' ? Buffer.from(part as Uint8Array).toString() : part
}

const html: Record<string, string> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\0': '\uFFFD',
}
const joined = (args: Value[]) => (args.length === 1 && typeof args[0] === 'string' ? args[0] : goPrint(args))
const js: Record<string, string> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
}

const allowed = (run: Run, text: string) => {
  run.allowText(text.length)
  return text
}

export const builtins: Record<string, TemplateFunction> = {
  eq: (run, first, ...others) => {
    if (others.length === 0) throw new ValueError('missing argument for comparison')
    return others.some((other) => equals(run, first, other))
  },
  ne: (run, left, right) => !equals(run, left, right),
  lt: (_, left, right) => order('lt', left, right) < 0,
  le: (_, left, right) => order('le', left, right) <= 0,
  gt: (_, left, right) => order('gt', left, right) > 0,
  ge: (_, left, right) => order('ge', left, right) >= 0,
  not: (_, value) => !truth(value),
  len: (_, value) => length(value),
  index,
  slice: sliceOf,
  print: (run, ...args) => allowed(run, goPrint(args)),
  println: (run, ...args) => allowed(run, `${args.map((value) => goText(value)).join(' ')}\n`),
  printf: (run, format, ...args) => {
    if (typeof format !== 'string') throw new ValueError('the first argument of printf must be a text')
    return allowed(run, goPrintf(format, args, run))
  },
  html: (run, ...args) =>
    allowed(
      run,
      joined(args).replace(/["'&<>\0]/g, (character) => html[character]!),
    ),
  js: (run, ...args) =>
    allowed(
      run,
      joined(args).replace(
        /[\\'"<>&=\x00-\x1f]/g,
        (character) => js[character] ?? `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
      ),
    ),
  urlquery: (run, ...args) => urlEncode(run, joined(args)),
  call: (run, callee, ...args) => {
    if (typeof callee !== 'function') throw new ValueError('call of a value that is no function')
    return (callee as TemplateFunction)(run, ...args)
  },
}
