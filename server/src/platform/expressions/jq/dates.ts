import type { Run } from '../run.ts'
import { JqError, withValue } from './data.ts'

const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const months = 'January February March April May June July August September October November December'.split(' ')
const pad = (value: number, width = 2, fill = '0') => String(value).padStart(width, fill)

/** Seconds → [year, month from 0, day, hours, minutes, seconds, weekday, day of the year]. */
function broken(seconds: unknown): number[] {
  if (typeof seconds !== 'number') throw new JqError(`gmtime() requires a number`)
  const at = new Date(Math.floor(seconds) * 1000)
  if (Number.isNaN(at.getTime())) throw new JqError('error converting number of seconds since epoch to datetime')
  const start = Date.UTC(at.getUTCFullYear(), 0, 1)
  return [
    at.getUTCFullYear(),
    at.getUTCMonth(),
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds() + (seconds - Math.floor(seconds)),
    at.getUTCDay(),
    Math.floor((Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()) - start) / 86_400_000),
  ]
}

function parts(value: unknown): number[] {
  if (typeof value === 'number') return broken(value)
  if (Array.isArray(value) && value.length >= 6 && value.every((item) => typeof item === 'number'))
    return value as number[]
  throw new JqError(`${withValue(value)} is not a broken down time`)
}

const seconds = (value: unknown) => {
  const [year = 1970, month = 0, day = 1, hour = 0, minute = 0, second = 0] = parts(value)
  return Math.floor(Date.UTC(year, month, day, hour, minute, Math.floor(second)) / 1000)
}

function strftime(value: unknown, format: unknown): string {
  if (typeof format !== 'string') throw new JqError('strftime/1 requires a string format')
  const at = parts(value)
  const [year, month, day, hour, minute, second] = at as [number, number, number, number, number, number]
  const date = new Date(Date.UTC(year, month, day, hour, minute, Math.floor(second)))
  const weekday = date.getUTCDay()
  const yearDay = Math.floor((Date.UTC(year, month, day) - Date.UTC(year, 0, 1)) / 86_400_000)
  const codes: Record<string, () => string> = {
    Y: () => String(year),
    C: () => pad(Math.floor(year / 100)),
    y: () => pad(year % 100),
    m: () => pad(month + 1),
    d: () => pad(day),
    e: () => pad(day, 2, ' '),
    H: () => pad(hour),
    I: () => pad(hour % 12 === 0 ? 12 : hour % 12),
    M: () => pad(minute),
    S: () => pad(Math.floor(second)),
    j: () => pad(yearDay + 1, 3),
    A: () => days[weekday]!,
    a: () => days[weekday]!.slice(0, 3),
    B: () => months[month]!,
    b: () => months[month]!.slice(0, 3),
    h: () => months[month]!.slice(0, 3),
    p: () => (hour < 12 ? 'AM' : 'PM'),
    u: () => String(weekday === 0 ? 7 : weekday),
    w: () => String(weekday),
    s: () => String(Math.floor(date.getTime() / 1000)),
    Z: () => 'UTC',
    z: () => '+0000',
    n: () => '\n',
    t: () => '\t',
    '%': () => '%',
    F: () => strftime(value, '%Y-%m-%d'),
    T: () => strftime(value, '%H:%M:%S'),
    R: () => strftime(value, '%H:%M'),
    D: () => strftime(value, '%m/%d/%y'),
    c: () => strftime(value, '%a %b %e %H:%M:%S %Y'),
  }
  return format.replace(/%(.)/g, (all, code: string) => codes[code]?.() ?? all)
}

function strptime(value: unknown, format: unknown): number[] {
  if (typeof value !== 'string') throw new JqError(`strptime/1 requires string inputs and arguments`)
  const read = {
    year: 1900,
    month: 0,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    offset: 0,
    pm: undefined as boolean | undefined,
  }
  let at = 0
  const wrong = () => new JqError(`date ${JSON.stringify(value)} does not match format ${JSON.stringify(format)}`)
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(value)
    if (!found) throw wrong()
    at = pattern.lastIndex
    return found[0]
  }
  const name = (names: string[]) => {
    const rest = value.slice(at).toLowerCase()
    const found = names.findIndex((candidate) => rest.startsWith(candidate.slice(0, 3).toLowerCase()))
    if (found < 0) throw wrong()
    const full = names[found]!.toLowerCase()
    at += rest.startsWith(full) ? full.length : 3
    return found
  }
  const readers: Record<string, () => void> = {
    Y: () => (read.year = Number(take(/\d{4}/y))),
    m: () => (read.month = Number(take(/\d{1,2}/y)) - 1),
    d: () => (read.day = Number(take(/\d{1,2}/y))),
    e: () => (read.day = Number(take(/ ?\d{1,2}/y))),
    H: () => (read.hour = Number(take(/\d{1,2}/y))),
    I: () => (read.hour = Number(take(/\d{1,2}/y)) % 12),
    M: () => (read.minute = Number(take(/\d{1,2}/y))),
    S: () => (read.second = Number(take(/\d{1,2}/y))),
    j: () => ((read.month = 0), (read.day = Number(take(/\d{1,3}/y)))),
    B: () => (read.month = name(months)),
    b: () => (read.month = name(months)),
    h: () => (read.month = name(months)),
    A: () => void name(days),
    a: () => void name(days),
    p: () => (read.pm = take(/am|pm/iy).toLowerCase() === 'pm'),
    Z: () => void take(/[A-Za-z]+/y),
    z: () => {
      const found = take(/Z|[+-]\d{2}:?\d{2}/y)
      read.offset =
        found === 'Z' ? 0 : (found[0] === '-' ? -1 : 1) * (Number(found.slice(1, 3)) * 60 + Number(found.slice(-2)))
    },
    s: () => {
      const [year, month, day, hour, minute, second] = broken(Number(take(/-?\d+/y))) as [
        number,
        number,
        number,
        number,
        number,
        number,
      ]
      Object.assign(read, { year, month, day, hour, minute, second })
    },
    T: () => (readers.H!(), literal(':'), readers.M!(), literal(':'), readers.S!()),
    F: () => (readers.Y!(), literal('-'), readers.m!(), literal('-'), readers.d!()),
  }
  const literal = (expected: string) => {
    if (!value.startsWith(expected, at)) throw wrong()
    at += expected.length
  }
  if (typeof format !== 'string') throw wrong()
  for (const [part, code] of format.matchAll(/%(.)|[^%]+/gs)) {
    if (code === undefined) literal(part)
    else if (code === '%') literal('%')
    else if (readers[code]) readers[code]()
    else throw wrong()
  }
  if (at !== value.length) throw wrong()
  if (read.pm) read.hour += 12
  const total = Date.UTC(read.year, read.month, read.day, read.hour, read.minute - read.offset, read.second)
  return broken(Math.floor(total / 1000))
}

export const dateNatives: Record<string, (run: Run, input: unknown, ...args: unknown[]) => unknown> = {
  'gmtime/0': (_, input) => broken(input),
  'localtime/0': (_, input) => broken(input),
  'mktime/0': (_, input) => {
    if (!Array.isArray(input)) throw new JqError('mktime requires array of 6 numbers')
    return seconds(input)
  },
  'timegm/0': (_, input) => seconds(input),
  'strftime/1': (run, input, format) => (run.spend(20), strftime(input, format)),
  'strflocaltime/1': (run, input, format) => (run.spend(20), strftime(input, format)),
  'strptime/1': (run, input, format) => (run.spend(20), strptime(input, format)),
}
