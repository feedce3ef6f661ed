const units = { y: 'year', M: 'month', w: 'week', d: 'day', h: 'hour', H: 'hour', m: 'minute', s: 'second' } as const
type Unit = (typeof units)[keyof typeof units]

const step = /([+\-/])(\d*)(mo|[yMwdhHms])/y
const timestamp = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?/

/**
 * now-20h, now/d, now-1d/d, 2024-08-29T10:00:00Z, 2024-08-29||-1M/d: a moment, then steps back, forward or down to the
 * start of a unit. All in UTC. Undefined when it is none of these.
 */
export function dateMath(text: string, now: Date): Date | undefined {
  const anchor = text.startsWith('now') ? 'now' : timestamp.exec(text)?.[0]
  if (anchor === undefined) return undefined
  let moment = anchor === 'now' ? new Date(now) : parsed(anchor)
  let pos = anchor.length
  if (text.startsWith('||', pos)) pos += 2
  while (pos < text.length) {
    step.lastIndex = pos
    const found = step.exec(text)
    if (!found) return undefined
    const unit = units[(found[3] === 'mo' ? 'M' : found[3]) as keyof typeof units]
    if (found[1] === '/') {
      if (found[2] !== '') return undefined
      moment = startOf(moment, unit)
    } else {
      const amount = found[2] === '' ? 1 : Number(found[2])
      moment = moved(moment, unit, found[1] === '+' ? amount : -amount)
    }
    pos = step.lastIndex
  }
  // Beyond the years PostgreSQL and RFC 3339 share there is nothing to compare with.
  const year = moment.getUTCFullYear()
  return Number.isNaN(moment.getTime()) || year < 1 || year > 9999 ? undefined : moment
}

function parsed(text: string): Date {
  const zoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10))
  const iso = text.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
  return new Date(zoned || text.length === 10 ? iso : `${iso}Z`)
}

function moved(from: Date, unit: Unit, amount: number): Date {
  const to = new Date(from)
  if (unit === 'year' || unit === 'month') {
    const months = to.getUTCFullYear() * 12 + to.getUTCMonth() + amount * (unit === 'year' ? 12 : 1)
    const day = to.getUTCDate()
    to.setUTCDate(1)
    to.setUTCFullYear(Math.floor(months / 12), ((months % 12) + 12) % 12)
    // 31 May minus a month is 30 April, not 1 May.
    const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
    to.setUTCDate(Math.min(day, last))
    return to
  }
  const seconds = { week: 604_800, day: 86_400, hour: 3600, minute: 60, second: 1 }[unit]
  return new Date(to.getTime() + amount * seconds * 1000)
}

function startOf(from: Date, unit: Unit): Date {
  const [year, month, day] = [from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate()]
  switch (unit) {
    case 'year':
      return new Date(Date.UTC(year, 0, 1))
    case 'month':
      return new Date(Date.UTC(year, month, 1))
    case 'week':
      return new Date(Date.UTC(year, month, day - ((from.getUTCDay() + 6) % 7)))
    case 'day':
      return new Date(Date.UTC(year, month, day))
    case 'hour':
      return new Date(Date.UTC(year, month, day, from.getUTCHours()))
    case 'minute':
      return new Date(Date.UTC(year, month, day, from.getUTCHours(), from.getUTCMinutes()))
    case 'second':
      return new Date(Math.floor(from.getTime() / 1000) * 1000)
  }
}
