/** Dates as people read them: short ages, a few fixed formats, and headings for lists grouped by date. */

export type DateLike = string | number | Date | null | undefined

const pad = (value: number) => String(value).padStart(2, '0')
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The date, or undefined when there is none: empty, unreadable, zero, and the year 0001 that servers send for "never". */
export function toDate(value: DateLike): Date | undefined {
  if (value === null || value === undefined || value === '' || value === 0) return undefined
  const date = value instanceof Date ? value : new Date(value)
  return Number.isNaN(+date) || date.getUTCFullYear() <= 1 ? undefined : date
}

export function isEmptyDate(value: DateLike): boolean {
  return toDate(value) === undefined
}

const units = [
  ['y', 365 * 86_400],
  ['mo', 30 * 86_400],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const

/** How long ago in one short unit: 45s, 12m, 3h, 5d, 2mo, 1y. Empty for dates that count as empty. */
export function formatAge(value: DateLike, now: number = Date.now()): string {
  const date = toDate(value)
  if (!date) return ''
  const seconds = Math.max(0, Math.round(Math.abs(now - +date) / 1000))
  for (const [unit, size] of units) if (seconds >= size) return `${Math.floor(seconds / size)}${unit}`
  return `${seconds}s`
}

/** How soon the text of `formatAge` can change, in milliseconds, so that a ticking age wakes up no more than it must. */
export function ageTick(value: DateLike, now: number = Date.now()): number {
  const date = toDate(value)
  if (!date) return Number.POSITIVE_INFINITY
  const age = Math.abs(now - +date)
  return age < 60_000 ? 1000 : age < 3_600_000 ? 15_000 : 60_000
}

// Made once: a new one for every age in a table would cost more than the table.
const longFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})

const format = {
  /** 4:05 PM */
  time: (d: Date) => `${d.getHours() % 12 || 12}:${pad(d.getMinutes())} ${d.getHours() < 12 ? 'AM' : 'PM'}`,
  /** Aug 29 */
  day: (d: Date) => `${months[d.getMonth()]} ${pad(d.getDate())}`,
  /** Thursday, 29 August 2024 at 16:05:09 GMT+2 */
  long: (d: Date) => longFormat.format(d),
  /** 2024-08-29 16:05 */
  full: (d: Date) =>
    `${d.getFullYear()}-${pad(d.getMonth() + 1)}-${pad(d.getDate())} ${pad(d.getHours())}:${pad(d.getMinutes())}`,
}

/** A date in one of the fixed formats, in the reader's time zone; empty dates give an empty text. */
export function formatDate(value: DateLike, style: keyof typeof format = 'full'): string {
  const date = toDate(value)
  return date ? format[style](date) : ''
}

/** The heading a date falls under in a list grouped by date; years before the previous one stand for themselves. */
export function dateGroup(value: DateLike, now: Date = new Date()): string {
  const date = toDate(value)
  if (!date) return ''
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  const monday = new Date(today)
  monday.setDate(today.getDate() - ((today.getDay() + 6) % 7))
  if (date >= today) return 'Today'
  if (date >= monday) return 'This week'
  if (date.getFullYear() === now.getFullYear()) return date.getMonth() === now.getMonth() ? 'This month' : 'This year'
  return date.getFullYear() === now.getFullYear() - 1 ? 'Previous year' : String(date.getFullYear())
}
