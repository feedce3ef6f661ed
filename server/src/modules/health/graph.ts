import { parseDuration } from '@quarterdeck/contract/schedule'
import { badRequest } from '../../platform/errors.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Where the points of a graph come from: single runs, or the hourly or daily roll-up. */
export type GraphSource = 'runs' | 'hours' | 'days'

export interface GraphWindow {
  source: GraphSource
  stepMs: number
}

/** Window width by range, as the wire has it; long ranges are read from roll-ups, whatever the number of runs. */
export function graphWindow(rangeMs: number): GraphWindow {
  if (rangeMs <= 2 * hour) return { source: 'runs', stepMs: minute }
  if (rangeMs <= day) return { source: 'runs', stepMs: 15 * minute }
  if (rangeMs <= 7 * day) return { source: 'hours', stepMs: hour }
  if (rangeMs <= 100 * day) return { source: 'hours', stepMs: 4 * hour }
  return { source: 'days', stepMs: day }
}

const calendar = /^(\d{1,3})(mo|M|y)$/

/** `15m`, `2d`, `1mo`, `1y`, or an ISO timestamp, as a moment before `now`. */
export function parseStart(text: string, now: Date, name: string): Date {
  const months = calendar.exec(text)
  if (months) {
    const count = Number(months[1]) * (months[2] === 'y' ? 12 : 1)
    const start = new Date(now)
    const dayOfMonth = start.getUTCDate()
    start.setUTCDate(1)
    start.setUTCMonth(start.getUTCMonth() - count)
    const last = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).getUTCDate()
    start.setUTCDate(Math.min(dayOfMonth, last))
    return start
  }
  const span = parseDuration(text)
  if (span !== undefined) return new Date(now.getTime() - Math.abs(span))
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw badRequest(
      `${name} is invalid: "${text.slice(0, 80)}"`,
      null,
      'Use a duration such as 1h or 2d, or an ISO timestamp.',
    )
  return new Date(time)
}
