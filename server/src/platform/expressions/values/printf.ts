import type { Run } from '../run.ts'
import { Duration } from './duration.ts'
import { Moment } from './moment.ts'
import { goText } from './print.ts'
import { goQuote } from './quote.ts'
import { compareText, entriesOf, isMap, Uint, type Value } from './values.ts'

interface Directive {
  flags: string
  width: number | undefined
  precision: number | undefined
  verb: string
}

/** A number's whole part when it is whole, whatever its type. */
function whole(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (value instanceof Uint) return value.value
  if (value instanceof Duration) return value.nanos
  return undefined
}

function fraction(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint) return Number(value.value)
  return undefined
}

export function goType(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int'
    case 'number':
      return Number.isSafeInteger(value) ? 'int' : 'float64'
    default:
  }
  if (value === null || value === undefined) return '<nil>'
  if (value instanceof Moment || value instanceof Date) return 'time.Time'
  if (value instanceof Duration) return 'time.Duration'
  if (value instanceof Uint8Array) return '[]uint8'
  if (value instanceof Uint) return 'uint64'
  if (Array.isArray(value)) return '[]interface {}'
  return 'map[string]interface {}'
}

function pad(text: string, { flags, width }: Directive, numeric = false): string {
  const length = [...text].length
  if (width === undefined || length >= width) return text
  const fill = width - length
  if (flags.includes('-')) return text + ' '.repeat(fill)
  if (flags.includes('0') && numeric) {
    const sign = /^[+\- ]/.exec(text)?.[0] ?? ''
    return sign + '0'.repeat(fill) + text.slice(sign.length)
  }
  return (flags.includes('0') ? '0' : ' ').repeat(fill) + text
}

function signed(text: string, flags: string): string {
  if (text.startsWith('-') || text.startsWith('+')) return flags.includes('+') ? text : text.replace(/^\+/, '')
  return flags.includes('+') ? `+${text}` : flags.includes(' ') ? ` ${text}` : text
}

const bases: Record<string, number> = { b: 2, o: 8, O: 8, d: 10, x: 16, X: 16 }

function integer(value: bigint, directive: Directive): string {
  const { flags, verb, precision } = directive
  let digits = (value < 0n ? -value : value).toString(bases[verb]!)
  if (verb === 'X') digits = digits.toUpperCase()
  if (precision !== undefined) digits = digits.padStart(precision, '0')
  const prefix = verb === 'O' ? '0o' : !flags.includes('#') ? '' : { b: '0b', o: '0', x: '0x', X: '0X', d: '' }[verb]!
  const text = signed((value < 0n ? '-' : '') + prefix + digits, flags)
  return pad(text, precision === undefined ? directive : { ...directive, flags: flags.replace('0', '') }, true)
}

const exponent = (text: string) =>
  text.replace(/e([+-])(\d)$/i, (whole, sign: string, digit: string) => `${whole[0]}${sign}0${digit}`)

function shortest(value: number, precision: number | undefined): string {
  const limited = precision === undefined ? value : Number(value.toPrecision(Math.max(1, Math.min(precision, 100))))
  const scientific = limited.toExponential()
  const power = Number(scientific.split('e')[1])
  const most = precision === undefined ? 6 : Math.max(precision, 1)
  return power < -4 || power >= most ? exponent(scientific) : positional(limited)
}

/** Without exponent, however small or large. */
function positional(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  const [digits, power] = text.split('e') as [string, string]
  const sign = digits.startsWith('-') ? '-' : ''
  const [front, back = ''] = digits.replace('-', '').split('.') as [string, string?]
  const shift = Number(power)
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${front}${back}`
  return sign + front + back.padEnd(shift, '0')
}

function floating(value: number, directive: Directive): string {
  const { verb, precision, flags } = directive
  const upper = verb === 'E' || verb === 'G'
  let text: string
  if (!Number.isFinite(value)) text = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  else if (verb === 'f' || verb === 'F') text = value.toFixed(Math.min(precision ?? 6, 100))
  else if (verb === 'e' || verb === 'E') text = exponent(value.toExponential(Math.min(precision ?? 6, 100)))
  else text = shortest(value, precision)
  if (Number.isFinite(value) && Math.abs(value) >= 1e21 && (verb === 'f' || verb === 'F')) {
    text = `${BigInt(value)}${(precision ?? 6) > 0 ? `.${'0'.repeat(precision ?? 6)}` : ''}`
  }
  return pad(
    signed(upper ? text.toUpperCase() : text, Number.isNaN(value) ? '' : flags),
    directive,
    Number.isFinite(value),
  )
}

function textual(text: string, directive: Directive): string {
  const cut = directive.precision === undefined ? text : [...text].slice(0, directive.precision).join('')
  switch (directive.verb) {
    case 'q':
      return pad(
        directive.flags.includes('#') && !cut.includes('`')
          ? `\`${cut}\``
          : goQuote(cut, '"', directive.flags.includes('+')),
        directive,
      )
    case 'x':
    case 'X': {
      const digits = Buffer.from(text).toString('hex')
      const hex = directive.flags.includes(' ') ? digits.replace(/..(?!$)/g, '$& ') : digits
      return pad(directive.verb === 'X' ? hex.toUpperCase() : hex, directive)
    }
    default:
      return pad(cut, directive)
  }
}

/** `%#v`, as near as values without Go types allow. */
function literal(value: Value): string {
  if (typeof value === 'string') return goQuote(value)
  if (Array.isArray(value)) return `[]interface {}{${value.map(literal).join(', ')}}`
  if (value === null || value === undefined) return 'interface {}(nil)'
  if (isMap(value)) {
    const entries = entriesOf(value).map(([key, item]) => [literal(key), literal(item)] as const)
    entries.sort((a, b) => compareText(a[0], b[0]))
    return `map[string]interface {}{${entries.map(([key, item]) => `${key}:${item}`).join(', ')}}`
  }
  return goText(value)
}

function one(value: Value, directive: Directive): string {
  const { verb, flags } = directive
  const bad = () =>
    `%!${verb}(${value === null || value === undefined ? '<nil>' : `${goType(value)}=${goText(value)}`})`
  if (verb === 'T') return pad(goType(value), directive)
  if (verb === 'v') {
    if (flags.includes('#')) return pad(literal(value), directive)
    if (typeof value === 'number' && directive.precision !== undefined)
      return floating(value, { ...directive, verb: 'g' })
    const number = typeof value === 'bigint' || typeof value === 'number'
    // A plus asks for field names here, not for a sign.
    return pad(number ? signed(goText(value), flags.replace('+', '')) : goText(value), directive, number)
  }
  if (Array.isArray(value) && 'sdxXqeEfFgGtbocU'.includes(verb)) {
    return `[${value.map((item) => one(item, directive)).join(' ')}]`
  }
  if (isMap(value) && 'sdxXqeEfFgGtbocU'.includes(verb)) {
    const entries = entriesOf(value).map(([key, item]) => [one(key, directive), one(item, directive)] as const)
    return `map[${entries
      .sort((a, b) => compareText(a[0], b[0]))
      .map(([key, item]) => `${key}:${item}`)
      .join(' ')}]`
  }
  const number = whole(value)
  switch (verb) {
    case 't':
      return typeof value === 'boolean' ? pad(String(value), directive) : bad()
    case 'd':
    case 'b':
    case 'o':
    case 'O':
      return number === undefined ? bad() : integer(number, directive)
    case 'c':
      return number === undefined || number > 0x10ffffn || number < 0n
        ? bad()
        : pad(String.fromCodePoint(Number(number)), directive)
    case 'U':
      return number === undefined ? bad() : pad(`U+${number.toString(16).toUpperCase().padStart(4, '0')}`, directive)
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G': {
      const float = fraction(value)
      return float === undefined ? bad() : floating(float, directive)
    }
    case 's':
      if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || value === null)
        return bad()
      return textual(value instanceof Uint8Array ? Buffer.from(value).toString() : goText(value), directive)
    case 'q':
      if (number !== undefined) return pad(goQuote(String.fromCodePoint(Number(number)), "'"), directive)
      return typeof value === 'string' ? textual(value, directive) : bad()
    case 'x':
    case 'X':
      if (number !== undefined) return integer(number, directive)
      if (value instanceof Uint8Array) return textual(Buffer.from(value).toString('latin1'), directive)
      return typeof value === 'string' ? textual(value, directive) : bad()
    default:
      return bad()
  }
}

const directives = /%(?:%|([-+# 0]*)(\*|\d+)?(?:\.(\*|\d*))?(?:\[(\d+)\])?([a-zA-Z!]|.|$))/gsu

/** Go's fmt.Sprintf. */
export function goPrintf(format: string, args: readonly Value[], run: Run): string {
  run.spendText(format.length)
  let next = 0
  let reordered = false
  const star = () => Number(whole(args[next++]) ?? 0n)
  const text = format.replace(
    directives,
    (all, flags: string, width?: string, precision?: string, index?: string, verb?: string) => {
      if (all === '%%') return '%'
      run.spend(1)
      const directive: Directive = {
        flags: flags ?? '',
        width: width === undefined ? undefined : width === '*' ? star() : Number(width),
        precision: precision === undefined ? undefined : precision === '*' ? star() : Number(precision || 0),
        verb: verb ?? '',
      }
      run.allowText((directive.width ?? 0) + (directive.precision ?? 0))
      if (!verb) return '%!(NOVERB)'
      if (index !== undefined) {
        reordered = true
        next = Number(index) - 1
      }
      if (next >= args.length || next < 0) return index === undefined ? `%!${verb}(MISSING)` : `%!${verb}(BADINDEX)`
      return one(args[next++], directive)
    },
  )
  if (reordered || next >= args.length) return text
  const extra = args.slice(next).map((value) => `${goType(value)}=${goText(value)}`)
  return `${text}%!(EXTRA ${extra.join(', ')})`
}

/** Go's fmt.Sprint: a blank between two operands when neither is text. */
export function goPrint(args: readonly Value[]): string {
  return args
    .map((value, index) => {
      const blank = index > 0 && typeof value !== 'string' && typeof args[index - 1] !== 'string'
      return (blank ? ' ' : '') + goText(value)
    })
    .join('')
}
