/** Auto-refresh of the dashboard, in the order offered. */
export const refreshRates = ['None', '15s', '30s', '60s', '2m', '3m', '5m', '10m', '15m'] as const
export type RefreshRate = (typeof refreshRates)[number]

export const refreshRateKey = 'healthPageRefreshRate'

const unitMs: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** Milliseconds of `30s`, `2m`, `1h`, `1d`, `1w`; undefined for None and for anything else. */
export function refreshMs(rate: string): number | undefined {
  const match = /^(\d+)([smhdw])$/.exec(rate)
  return match ? Number(match[1]) * unitMs[match[2]!]! : undefined
}

/** A short rate over a long range would pile requests up, so some are off from an hour and more from three. */
export function isRateDisabled(rate: RefreshRate, rangeMinutes: number): boolean {
  if (rangeMinutes >= 60 && (rate === '15s' || rate === '30s')) return true
  return rangeMinutes >= 180 && (rate === '2m' || rate === '3m')
}

/** The rate itself, or the next longer one that is allowed, or None. */
export function allowedRate(rate: RefreshRate, rangeMinutes: number): RefreshRate {
  if (rate === 'None' || !isRateDisabled(rate, rangeMinutes)) return rate
  const later = refreshRates.slice(refreshRates.indexOf(rate) + 1)
  return later.find((candidate) => !isRateDisabled(candidate, rangeMinutes)) ?? 'None'
}

/** What local storage held, if it is a rate we know. */
export const readRate = (stored: unknown): RefreshRate => refreshRates.find((rate) => rate === stored) ?? 'None'
