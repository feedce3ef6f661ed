import { ValueError } from '../errors.ts'

/** Where a moment is told: its name and its distance from UTC at that moment. */
export interface Zone {
  name: string
  /** Seconds east of UTC at this moment. */
  offsetAt(ms: number): number
  /** Short name at this moment, such as CET; empty when only the distance is known. */
  shortAt(ms: number): string
}

export const utc: Zone = { name: 'UTC', offsetAt: () => 0, shortAt: () => 'UTC' }

export function fixedZone(seconds: number, name = ''): Zone {
  if (seconds === 0 && (name === '' || name === 'UTC')) return utc
  return { name, offsetAt: () => seconds, shortAt: () => name }
}

const known = new Map<string, Zone>([
  ['UTC', utc],
  ['', utc],
])

/** A zone of the system's table, by name (`Europe/Berlin`), or a distance such as `+02:00`. */
export function zoneNamed(name: string): Zone {
  const cached = known.get(name)
  if (cached) return cached
  const distance = /^([+-])(\d{2}):?(\d{2})$/.exec(name)
  if (distance) {
    const seconds = Number(distance[2]) * 3600 + Number(distance[3]) * 60
    return fixedZone(distance[1] === '-' ? -seconds : seconds)
  }
  const zone = name === 'Local' ? named(Intl.DateTimeFormat().resolvedOptions().timeZone) : named(name)
  if (known.size < 600) known.set(name, zone)
  return zone
}

function named(name: string): Zone {
  let fields: Intl.DateTimeFormat
  let short: Intl.DateTimeFormat
  try {
    const numeric = 'numeric' as const
    fields = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
      era: 'short',
    })
    short = new Intl.DateTimeFormat('en-GB', { timeZone: name, timeZoneName: 'short' })
  } catch {
    throw new ValueError(`"${name}" is not a known time zone`)
  }
  const offsetAt = (ms: number) => {
    const part: Record<string, string> = {}
    for (const { type, value } of fields.formatToParts(ms)) part[type] = value
    const year = part.era === 'BC' ? 1 - Number(part.year) : Number(part.year)
    const wall = new Date(0)
    wall.setUTCFullYear(year, Number(part.month) - 1, Number(part.day))
    wall.setUTCHours(Number(part.hour), Number(part.minute), Number(part.second), 0)
    return Math.round((wall.getTime() - Math.floor(ms / 1000) * 1000) / 1000)
  }
  const shortAt = (ms: number) => {
    const text = short.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? ''
    return /^(GMT|UTC)[+-]/.test(text) ? '' : text
  }
  return { name, offsetAt, shortAt }
}
