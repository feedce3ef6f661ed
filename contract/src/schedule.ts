/**
 * When something runs: `@every 45s`, `@hourly` and its kin, five cron fields, or `@never`.
 * Parsing and checking live here so that forms and engines agree; calendars (cron) are computed by the server.
 */

const units: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  y: 365 * 86_400_000,
}
const durationPart = /(\d+(?:\.\d+)?|\.\d+)(ns|us|µs|μs|ms|s|m|h|d|w|y)/y

/** Milliseconds of `90s`, `1h30m`, `1.5h`, `3d`; undefined when the text is no duration. `0` needs no unit. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0
  const negative = text.startsWith('-')
  let at = negative || text.startsWith('+') ? 1 : 0
  if (at === text.length || text.length > 64) return undefined
  let total = 0
  while (at < text.length) {
    durationPart.lastIndex = at
    const part = durationPart.exec(text)
    if (!part) return undefined
    total += Number(part[1]) * (units[part[2] ?? ''] ?? Number.NaN)
    at = durationPart.lastIndex
  }
  return negative ? -total : total
}

/** The shortest usual spelling of a duration: 5400000 → `1h30m`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s'
  let rest = Math.round(Math.abs(milliseconds))
  const parts: string[] = []
  for (const unit of ['h', 'm', 's', 'ms'] as const) {
    const size = units[unit] ?? 1
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count}${unit}`)
    rest -= count * size
  }
  return (milliseconds < 0 ? '-' : '') + parts.join('')
}

export type Schedule =
  | { kind: 'never' }
  | { kind: 'every'; milliseconds: number }
  | { kind: 'cron'; expression: string; timeZone: string }

export type ParsedSchedule = { ok: true; schedule: Schedule } | { ok: false; reason: string }

const named: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

interface Field {
  name: string
  min: number
  max: number
  words?: string[]
  /** `?` is allowed, as "any". */
  open?: boolean
}
const fields: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31, open: true },
  { name: 'month', min: 1, max: 12, words: months },
  { name: 'day of week', min: 0, max: 7, words: weekdays, open: true },
]

const fail = (reason: string): ParsedSchedule => ({ ok: false, reason })
const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Reads a schedule; the reason of a refusal is one sentence a form can show. */
export function parseSchedule(text: string): ParsedSchedule {
  const trimmed = text.trim()
  if (trimmed === '') return fail('A schedule is needed, for example "@every 5m" or "0 6 * * *".')
  if (trimmed.length > 200) return fail('A schedule has at most 200 characters.')
  if (trimmed === '@never') return { ok: true, schedule: { kind: 'never' } }
  if (trimmed.startsWith('@every')) return parseEvery(trimmed)
  const zone = /^(?:CRON_TZ|TZ)=(\S+)\s+(.+)$/.exec(trimmed)
  const timeZone = zone?.[1] ?? 'UTC'
  if (!isTimeZone(timeZone)) return fail(`"${timeZone}" is not a known time zone.`)
  const body = zone?.[2]?.trim() ?? trimmed
  if (body.startsWith('@')) {
    const expression = named[body.toLowerCase()]
    if (!expression) {
      return fail(`"${body}" is not known; use @every, @hourly, @daily, @weekly, @monthly, @yearly or @never.`)
    }
    return { ok: true, schedule: { kind: 'cron', expression, timeZone } }
  }
  return parseCron(body, timeZone)
}

function parseEvery(text: string): ParsedSchedule {
  const length = text.slice('@every'.length)
  const milliseconds = /^\s+\S+$/.test(length) ? parseDuration(length.trim()) : undefined
  if (milliseconds === undefined) return fail('@every needs a duration such as "@every 30s" or "@every 1h30m".')
  if (milliseconds < 1000) return fail('@every cannot be shorter than one second.')
  if (milliseconds > 10 * units.y!) return fail('@every cannot be longer than ten years.')
  return { ok: true, schedule: { kind: 'every', milliseconds: Math.round(milliseconds) } }
}

function parseCron(body: string, timeZone: string): ParsedSchedule {
  const parts = body.split(/\s+/)
  if (parts.length !== fields.length) {
    return fail(`A cron schedule has five fields (minute hour day month weekday); this one has ${parts.length}.`)
  }
  const normal: string[] = []
  const values: (Set<number> | undefined)[] = []
  for (const [index, field] of fields.entries()) {
    const read = readField(parts[index] ?? '', field)
    if (typeof read === 'string') return fail(read)
    normal.push(read.text)
    values.push(read.values)
  }
  const [, , days, inMonths, onWeekdays] = values
  // 31 February never comes; better said now than silently never run. With a weekday given either may match.
  if (days && !onWeekdays) {
    const reachable = [...(inMonths ?? months.map((_, index) => index + 1))].some((month) =>
      [...days].some((day) => day <= (longestMonth[month - 1] ?? 31)),
    )
    if (!reachable) return fail('No month chosen here has that day, so this would never run.')
  }
  return { ok: true, schedule: { kind: 'cron', expression: normal.join(' '), timeZone } }
}

/** One cron field as numbers only, with the values it matches (undefined = any); text means refused. */
function readField(text: string, field: Field): { text: string; values: Set<number> | undefined } | string {
  if (text === '*' || (text === '?' && field.open)) return { text: '*', values: undefined }
  const out: string[] = []
  const values = new Set<number>()
  for (const item of text.split(',')) {
    const match = /^(\*|\?|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d{1,3}))?$/i.exec(item)
    const wrong = `"${item}" is not valid for ${field.name} (${field.min}-${field.max}).`
    if (!match) return wrong
    const [, first = '', last, stepText] = match
    const any = first === '*' || (first === '?' && field.open === true)
    if (any && last !== undefined) return wrong
    const from = any ? field.min : number(first, field)
    if (from === undefined) return wrong
    // A single value with a step means "from there on".
    const to = last !== undefined ? number(last, field) : any || stepText !== undefined ? field.max : from
    const step = stepText === undefined ? 1 : Number(stepText)
    if (to === undefined || to < from || step < 1) return wrong
    for (let value = from; value <= to; value += step) values.add(value)
    out.push(
      any && stepText === undefined ? '*' : `${from}${to === from ? '' : `-${to}`}${step === 1 ? '' : `/${step}`}`,
    )
  }
  if (out.includes('*')) return { text: '*', values: undefined }
  return { text: out.join(','), values }
}

function number(text: string, field: Field): number | undefined {
  const word = field.words?.indexOf(text.toLowerCase()) ?? -1
  const value = word >= 0 ? word + (field.words === months ? 1 : 0) : /^\d{1,2}$/.test(text) ? Number(text) : undefined
  return value !== undefined && value >= field.min && value <= field.max ? value : undefined
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Undefined when the schedule is good, otherwise the sentence to show beside the field. */
export function scheduleProblem(text: string): string | undefined {
  const parsed = parseSchedule(text)
  return parsed.ok ? undefined : parsed.reason
}

/**
 * The next moment of an `@every` schedule after `after`, on the grid that starts at `anchor`.
 * Runs missed while nothing was running collapse into the next one: the grid stays, nothing is caught up twice.
 */
export function nextOfEvery(milliseconds: number, anchor: Date, after: Date): Date {
  const passed = after.getTime() - anchor.getTime()
  const steps = Math.max(0, Math.floor(passed / milliseconds)) + 1
  return new Date(anchor.getTime() + (passed < 0 ? 0 : steps * milliseconds))
}
