import { formatBytes, formatCost, formatMillis, formatNumber, formatPercent } from '@/lib/format.ts'

export type Unit = 'count' | 'ms' | 'bytes' | 'percent' | 'cost' | ((value: number) => string)

/** A value of a chart in words. */
export function formatUnit(value: number | null | undefined, unit: Unit): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  if (typeof unit === 'function') return unit(value)
  switch (unit) {
    case 'ms':
      return formatMillis(value)
    case 'bytes':
      return formatBytes(value)
    case 'percent':
      return formatPercent(value)
    case 'cost':
      return formatCost(value)
    case 'count':
      return Math.abs(value) >= 10_000 ? `${formatNumber(value / 1000, 1)}k` : formatNumber(value, 2)
  }
}
