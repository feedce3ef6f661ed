import { ValueError } from '../errors.ts'

const units: Record<string, bigint> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}
const longUnits: Record<string, bigint> = {
  ...units,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
  y: 31_536_000_000_000_000n,
}

const largest = 9_223_372_036_854_775_807n

/** A span of time in nanoseconds, printed the way Go prints it. */
export class Duration {
  constructor(readonly nanos: bigint) {}

  static fromMs(ms: number): Duration {
    return new Duration(BigInt(Math.round(ms * 1_000_000)))
  }

  get ms(): number {
    return Number(this.nanos) / 1e6
  }

  toString(): string {
    if (this.nanos === 0n) return '0s'
    const sign = this.nanos < 0n ? '-' : ''
    const all = this.nanos < 0n ? -this.nanos : this.nanos
    if (all < 1_000_000_000n) {
      const [unit, size] = all < 1_000n ? ['ns', 1n] : all < 1_000_000n ? ['µs', 1_000n] : ['ms', 1_000_000n]
      return `${sign}${decimal(all, size as bigint)}${unit}`
    }
    const hours = all / units.h!
    const minutes = (all / units.m!) % 60n
    const seconds = decimal(all % units.m!, units.s!)
    if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}s`
    if (minutes > 0n) return `${sign}${minutes}m${seconds}s`
    return `${sign}${seconds}s`
  }

  toJSON(): string {
    return this.toString()
  }
}

function decimal(value: bigint, unit: bigint): string {
  const rest = value % unit
  if (rest === 0n) return `${value / unit}`
  const digits = String(rest)
    .padStart(String(unit).length - 1, '0')
    .replace(/0+$/, '')
  return `${value / unit}.${digits}`
}

/** Reads `1h30m`, `-1.5s`; with `long` also days, weeks and years of 365 days. Undefined when it is none. */
export function readDuration(text: string, long = false): Duration | undefined {
  const known = long ? longUnits : units
  let rest = text.trim()
  let sign = 1n
  if (rest.startsWith('-') || rest.startsWith('+')) {
    sign = rest.startsWith('-') ? -1n : 1n
    rest = rest.slice(1)
  }
  if (rest === '0') return new Duration(0n)
  if (rest === '' || rest.length > 100) return undefined
  let total = 0n
  const part = /(\d*)(?:\.(\d*))?([a-zµμ]+)/y
  while (part.lastIndex < rest.length) {
    const found = part.exec(rest)
    if (!found || (!found[1] && !found[2])) return undefined
    const unit = known[found[3]!]
    if (unit === undefined) return undefined
    total += BigInt(found[1] || '0') * unit
    const fraction = (found[2] ?? '').slice(0, 18)
    if (fraction) total += (BigInt(fraction) * unit) / 10n ** BigInt(fraction.length)
    if (total > largest) return undefined
  }
  return new Duration(sign * total)
}

export function parseDuration(text: string, long = false): Duration {
  const read = readDuration(text, long)
  if (!read)
    throw new ValueError(`"${text}" is not a duration${long ? ' such as 90m, 7d or 1w2d' : ' such as 90m or 1h30m'}`)
  return read
}

/** Three units from the largest that is there: `6w0d0h`, `2d3h0m`, `1h30m0s`. */
export function humanDuration({ nanos }: Duration): string {
  const sign = nanos < 0n ? '-' : ''
  const all = nanos < 0n ? -nanos : nanos
  if (all < units.s!) return new Duration(nanos).toString()
  const weeks = all / longUnits.w!
  const days = (all / longUnits.d!) % 7n
  const hours = (all / units.h!) % 24n
  const minutes = (all / units.m!) % 60n
  const seconds = (all / units.s!) % 60n
  if (weeks > 0n) return `${sign}${weeks}w${days}d${hours}h`
  if (days > 0n) return `${sign}${days}d${hours}h${minutes}m`
  if (hours > 0n) return `${sign}${hours}h${minutes}m${seconds}s`
  if (minutes > 0n) return `${sign}${minutes}m${seconds}s`
  return `${sign}${decimal(all - (all % units.ms!), units.s!)}s`
}
