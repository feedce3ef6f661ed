import { ValueError } from '../errors.ts'
import type { Fields } from './moment.ts'

const months = 'January February March April May June July August September October November December'.split(' ')
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

// The pieces of a Go layout. `_2006` is an underscore and a year; Jan and Mon stand alone only before no lower-case letter.
const pieces =
  /January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|002|0[1-6]|15|1|2006|2|__2|_2(?!006)|3|4|5|PM|pm|[-Z]07(?:0000|:00:00|00|:00)?|[.,](?:0+|9+)(?!\d)/g

/** The layouts that may be given by name. */
export const namedLayouts: Record<string, string> = {
  ANSIC: 'Mon Jan _2 15:04:05 2006',
  UnixDate: 'Mon Jan _2 15:04:05 MST 2006',
  RubyDate: 'Mon Jan 02 15:04:05 -0700 2006',
  RFC822: '02 Jan 06 15:04 MST',
  RFC822Z: '02 Jan 06 15:04 -0700',
  RFC850: 'Monday, 02-Jan-06 15:04:05 MST',
  RFC1123: 'Mon, 02 Jan 2006 15:04:05 MST',
  RFC1123Z: 'Mon, 02 Jan 2006 15:04:05 -0700',
  RFC3339: '2006-01-02T15:04:05Z07:00',
  RFC3339Nano: '2006-01-02T15:04:05.999999999Z07:00',
  Kitchen: '3:04PM',
  DateTime: '2006-01-02 15:04:05',
  DateOnly: '2006-01-02',
  TimeOnly: '15:04:05',
}

const pad = (value: number, width: number, fill = '0') => String(value).padStart(width, fill)

function offsetText(form: string, offset: number): string {
  if (form.startsWith('Z') && offset === 0) return 'Z'
  const all = Math.abs(offset)
  const [hour, minute, second] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60].map((part) =>
    pad(part, 2),
  )
  const sign = offset < 0 ? '-' : '+'
  switch (form.slice(1)) {
    case '07':
      return `${sign}${hour}`
    case '0700':
      return `${sign}${hour}${minute}`
    case '07:00':
      return `${sign}${hour}:${minute}`
    case '070000':
      return `${sign}${hour}${minute}${second}`
    default:
      return `${sign}${hour}:${minute}:${second}`
  }
}

function fractionText(form: string, nanosecond: number): string {
  const digits = pad(nanosecond, 9).slice(0, form.length - 1)
  if (form[1] === '0') return form[0] + digits
  const short = digits.replace(/0+$/, '')
  return short === '' ? '' : form[0] + short
}

/** Writes a moment by a Go layout (the one made from 2 January 2006, 15:04:05). */
export function formatLayout(layout: string, at: Fields, zoneName: string): string {
  const hour12 = at.hour % 12 === 0 ? 12 : at.hour % 12
  const write: Record<string, () => string> = {
    January: () => months[at.month - 1]!,
    Jan: () => months[at.month - 1]!.slice(0, 3),
    Monday: () => days[at.weekday]!,
    Mon: () => days[at.weekday]!.slice(0, 3),
    MST: () => zoneName || offsetText(at.offset % 3600 === 0 ? '-07' : '-0700', at.offset),
    '1': () => String(at.month),
    '01': () => pad(at.month, 2),
    '2': () => String(at.day),
    _2: () => pad(at.day, 2, ' '),
    '02': () => pad(at.day, 2),
    __2: () => pad(at.yearDay, 3, ' '),
    '002': () => pad(at.yearDay, 3),
    '15': () => pad(at.hour, 2),
    '3': () => String(hour12),
    '03': () => pad(hour12, 2),
    '4': () => String(at.minute),
    '04': () => pad(at.minute, 2),
    '5': () => String(at.second),
    '05': () => pad(at.second, 2),
    '2006': () => (at.year < 0 ? `-${pad(-at.year, 4)}` : pad(at.year, 4)),
    '06': () => pad(((at.year % 100) + 100) % 100, 2),
    PM: () => (at.hour >= 12 ? 'PM' : 'AM'),
    pm: () => (at.hour >= 12 ? 'pm' : 'am'),
  }
  return layout.replace(pieces, (piece) => {
    if (write[piece]) return write[piece]()
    return piece.includes('07') ? offsetText(piece, at.offset) : fractionText(piece, at.nanosecond)
  })
}

export interface Parsed {
  /** The wall time as if it were UTC. */
  wallMs: number
  nanosecond: number
  /** Seconds east of UTC, when the text said so. */
  offset?: number
  zoneName?: string
}

/** Reads a text by a Go layout. */
export function parseLayout(layout: string, text: string): Parsed {
  const wrong = () => new ValueError(`"${text}" does not fit the time layout "${layout}"`)
  const read = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0, nanosecond: 0, yearDay: 0 }
  let [pm, twelve] = [false, false]
  let offset: number | undefined
  let zoneName: string | undefined
  let at = 0
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found) throw wrong()
    at = pattern.lastIndex
    return found[0]
  }
  const number = (pattern: RegExp) => Number(take(pattern).trim())
  const word = (list: string[], length?: number): number => {
    const shown = list.map((name) => (length ? name.slice(0, length) : name).toLowerCase())
    const found = shown.findIndex((name) => text.slice(at, at + name.length).toLowerCase() === name)
    if (found < 0) throw wrong()
    at += shown[found]!.length
    return found
  }
  const fraction = (digits: string) => {
    read.nanosecond = Number(digits.slice(1).padEnd(9, '0').slice(0, 9))
  }
  const readers: Record<string, () => void> = {
    January: () => (read.month = word(months) + 1),
    Jan: () => (read.month = word(months, 3) + 1),
    Monday: () => void word(days),
    Mon: () => void word(days, 3),
    MST: () => {
      zoneName = take(/[A-Z]{3,5}|[+-]\d{2}(?:\d{2})?/y)
      if (zoneName === 'UTC' || zoneName === 'GMT') offset ??= 0
    },
    '1': () => (read.month = number(/\d{1,2}/y)),
    '01': () => (read.month = number(/\d{2}/y)),
    '2': () => (read.day = number(/\d{1,2}/y)),
    _2: () => (read.day = number(/ ?\d{1,2}/y)),
    '02': () => (read.day = number(/\d{2}/y)),
    __2: () => (read.yearDay = number(/ {0,2}\d{1,3}/y)),
    '002': () => (read.yearDay = number(/\d{3}/y)),
    '15': () => (read.hour = number(/\d{1,2}/y)),
    '3': () => ((read.hour = number(/\d{1,2}/y)), (twelve = true)),
    '03': () => ((read.hour = number(/\d{2}/y)), (twelve = true)),
    '4': () => (read.minute = number(/\d{1,2}/y)),
    '04': () => (read.minute = number(/\d{2}/y)),
    '5': () => (read.second = number(/\d{1,2}/y)),
    '05': () => (read.second = number(/\d{2}/y)),
    '2006': () => (read.year = number(/\d{4}/y)),
    '06': () => {
      const two = number(/\d{2}/y)
      read.year = two >= 69 ? 1900 + two : 2000 + two
    },
    PM: () => (pm = take(/AM|PM/y) === 'PM'),
    pm: () => (pm = take(/am|pm/y) === 'pm'),
  }
  const readOffset = (form: string) => {
    if (form.startsWith('Z') && text[at] === 'Z') {
      at++
      offset = 0
      return
    }
    const colon = form.includes(':') ? ':' : ''
    const parts = form === '-07' || form === 'Z07' ? 0 : form.length > 6 ? 2 : 1
    const found = take(new RegExp(`[+-]\\d{2}(?:${colon}\\d{2}){${parts}}`, 'y'))
    const [hour = 0, minute = 0, second = 0] = found.slice(1).replaceAll(':', '').match(/\d{2}/g)!.map(Number)
    offset = (found[0] === '-' ? -1 : 1) * (hour * 3600 + minute * 60 + second)
  }
  const literal = (expected: string) => {
    if (!text.startsWith(expected, at)) throw wrong()
    at += expected.length
  }
  let from = 0
  for (const found of layout.matchAll(pieces)) {
    const piece = found[0]
    literal(layout.slice(from, found.index))
    from = found.index + piece.length
    if (readers[piece]) readers[piece]()
    else if (piece.includes('07')) readOffset(piece)
    else if (piece[1] === '9') {
      if (/^[.,]\d/.test(text.slice(at))) fraction(take(/[.,]\d+/y))
    } else fraction(take(new RegExp(`[.,]\\d{${piece.length - 1}}`, 'y')))
    // A fraction may follow the seconds although the layout has none.
    const follows = layout.slice(from)
    if ((piece === '5' || piece === '05') && !/^[.,][09]/.test(follows) && /^[.,]\d/.test(text.slice(at))) {
      fraction(take(/[.,]\d+/y))
    }
  }
  literal(layout.slice(from))
  if (at !== text.length) throw wrong()
  if (twelve) read.hour = (read.hour % 12) + (pm ? 12 : 0)
  else if (pm && read.hour < 12) read.hour += 12
  const inYear = new Date(Date.UTC(2000, 0, 1))
  inYear.setUTCFullYear(read.year, read.yearDay > 0 ? 0 : read.month - 1, read.yearDay > 0 ? read.yearDay : read.day)
  inYear.setUTCHours(read.hour, read.minute, read.second, 0)
  const fits =
    read.hour < 24 &&
    read.minute < 60 &&
    read.second < 60 &&
    read.month >= 1 &&
    read.month <= 12 &&
    (read.yearDay > 0 ? inYear.getUTCFullYear() === read.year : inYear.getUTCDate() === read.day)
  if (!fits) throw new ValueError(`"${text}" is not a time that exists`)
  return { wallMs: inYear.getTime(), nanosecond: read.nanosecond, offset, zoneName }
}
