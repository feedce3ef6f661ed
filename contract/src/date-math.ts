/**
 * Date math: `now`, `now-2d`, `now-1d/d`, `2024-08-01T00:00:00Z||+1M/d`. Steps apply from left to right; `/unit` goes back
 * to the start of the unit. Weeks start on Monday.
 */

type Unit = 'y' | 'M' | 'w' | 'd' | 'h' | 'm' | 's'

export interface DateMathOptions {
  now?: Date
  /** Whose midnight `/d` means: the reader's in the browser, UTC on the server. */
  zone?: 'utc' | 'local'
}

const step = /([+-])(\d{1,6})([yMwdhHms])|\/([yMwdhHms])/y

/** The instant a date-math text means, or undefined when it is none. */
export function parseDateMath(
  text: string,
  { now = new Date(), zone = 'utc' }: DateMathOptions = {},
): Date | undefined {
  const { base, steps } = split(text.trim())
  let at = base === 'now' ? new Date(now) : parseInstant(base)
  if (!at) return undefined
  step.lastIndex = 0
  while (step.lastIndex < steps.length) {
    const match = step.exec(steps)
    if (!match) return undefined
    const unit = (match[3] ?? match[4])!.replace('H', 'h') as Unit
    at = match[4] ? startOf(at, unit, zone) : add(at, Number(`${match[1]}${match[2]}`), unit, zone)
    if (Number.isNaN(+at)) return undefined
  }
  return at
}

function split(text: string) {
  if (text.startsWith('now')) return { base: 'now', steps: text.slice(3) }
  const at = text.indexOf('||')
  return at < 0 ? { base: text, steps: '' } : { base: text.slice(0, at), steps: text.slice(at + 2) }
}

function parseInstant(text: string) {
  // Date.parse accepts much more than instants ("1", "foo 2"), so the shape is checked first.
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i.test(text)) return undefined
  const date = new Date(text)
  return Number.isNaN(+date) ? undefined : date
}

const fixed = { h: 3_600_000, m: 60_000, s: 1000 } as const

/** Adds calendar units by the calendar and keeps the day inside the month: 31 January + 1M is the last of February. */
function add(date: Date, count: number, unit: Unit, zone: 'utc' | 'local'): Date {
  if (unit === 'h' || unit === 'm' || unit === 's') return new Date(date.getTime() + count * fixed[unit])
  const parts = read(date, zone)
  if (unit === 'd' || unit === 'w') return make({ ...parts, day: parts.day + count * (unit === 'w' ? 7 : 1) }, zone)
  const month = parts.month + count * (unit === 'y' ? 12 : 1)
  const lastDay = new Date(Date.UTC(parts.year, month + 1, 0)).getUTCDate()
  return make({ ...parts, month, day: Math.min(parts.day, lastDay) }, zone)
}

function startOf(date: Date, unit: Unit, zone: 'utc' | 'local'): Date {
  const p = read(date, zone)
  const midnight = { ...p, hour: 0, minute: 0, second: 0, ms: 0 }
  switch (unit) {
    case 'y':
      return make({ ...midnight, month: 0, day: 1 }, zone)
    case 'M':
      return make({ ...midnight, day: 1 }, zone)
    case 'w':
      return make({ ...midnight, day: p.day - ((p.weekday + 6) % 7) }, zone)
    case 'd':
      return make(midnight, zone)
    case 'h':
      return make({ ...p, minute: 0, second: 0, ms: 0 }, zone)
    case 'm':
      return make({ ...p, second: 0, ms: 0 }, zone)
    case 's':
      return make({ ...p, ms: 0 }, zone)
  }
}

function read(d: Date, zone: 'utc' | 'local') {
  return zone === 'utc'
    ? {
        year: d.getUTCFullYear(),
        month: d.getUTCMonth(),
        day: d.getUTCDate(),
        hour: d.getUTCHours(),
        minute: d.getUTCMinutes(),
        second: d.getUTCSeconds(),
        ms: d.getUTCMilliseconds(),
        weekday: d.getUTCDay(),
      }
    : {
        year: d.getFullYear(),
        month: d.getMonth(),
        day: d.getDate(),
        hour: d.getHours(),
        minute: d.getMinutes(),
        second: d.getSeconds(),
        ms: d.getMilliseconds(),
        weekday: d.getDay(),
      }
}

function make(p: Omit<ReturnType<typeof read>, 'weekday'>, zone: 'utc' | 'local') {
  const parts = [p.year, p.month, p.day, p.hour, p.minute, p.second, p.ms] as const
  return zone === 'utc' ? new Date(Date.UTC(...parts)) : new Date(...parts)
}
