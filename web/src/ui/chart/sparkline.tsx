import { cn } from '@/lib/cn.ts'

export interface SparklineProps {
  values: readonly (number | null | undefined)[]
  /** What it shows, in words: "Latency of the last hour, 120 to 480 ms". */
  label: string
  width?: number
  height?: number
  colour?: 'accent' | 'ok' | 'warn' | 'bad' | 'unknown'
  className?: string
}

/** The points of a line inside a box; gaps start a new line. */
export function sparkPath(values: readonly (number | null | undefined)[], width: number, height: number): string {
  const known = values.filter((value): value is number => typeof value === 'number' && Number.isFinite(value))
  if (known.length === 0) return ''
  const low = Math.min(...known)
  const span = Math.max(...known) - low || 1
  const step = values.length > 1 ? (width - 2) / (values.length - 1) : 0
  let path = ''
  let isOpen = false
  values.forEach((value, i) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      isOpen = false
      return
    }
    const y = height - 1 - ((value - low) / span) * (height - 2)
    path += `${isOpen ? 'L' : 'M'}${(1 + i * step).toFixed(1)} ${y.toFixed(1)}`
    isOpen = true
  })
  return path
}

/** A small line without axes, for tables and cards; the exact values belong on hover or in a chart. */
export function Sparkline({ values, label, width = 96, height = 20, colour = 'accent', className }: SparklineProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={cn('shrink-0 overflow-visible', className)}
    >
      <title>{label}</title>
      <path
        d={sparkPath(values, width, height)}
        fill="none"
        stroke={`var(--${colour})`}
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}
