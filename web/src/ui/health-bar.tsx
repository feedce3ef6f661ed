import { cn } from '@/lib/cn.ts'
import { formatNumber } from '@/lib/format.ts'
import { type Health, HealthMark } from './status.tsx'

const order: Health[] = ['unhealthy', 'warning', 'healthy', 'unknown']
const colours: Record<Health, string> = {
  healthy: 'bg-ok',
  warning: 'bg-warn',
  unhealthy: 'bg-bad',
  unknown: 'bg-unknown',
}

export interface HealthBarProps {
  counts: Partial<Record<Health, number>>
  /** Shows the figures with their shapes after the bar. */
  figures?: boolean
  className?: string
}

/** How many of a group are in which health, as a segmented bar; small shares keep a visible width. */
export function HealthBar({ counts, figures = false, className }: HealthBarProps) {
  const present = order.filter((health) => (counts[health] ?? 0) > 0)
  const words = present.map((health) => `${formatNumber(counts[health] ?? 0)} ${health}`).join(', ')
  return (
    <span className={cn('flex min-w-0 items-center gap-3', className)}>
      <span
        role="img"
        aria-label={words || 'none'}
        title={words}
        className="flex h-2 min-w-12 flex-1 gap-px overflow-hidden rounded-full bg-pressed"
      >
        {present.map((health) => (
          <span key={health} className={cn('min-w-1 basis-0', colours[health])} style={{ flexGrow: counts[health] }} />
        ))}
      </span>
      {figures && (
        <span aria-hidden className="flex shrink-0 gap-2.5 text-xs text-muted">
          {present.map((health) => (
            <span key={health} className="inline-flex items-center gap-1">
              <HealthMark health={health} size={9} />
              {formatNumber(counts[health] ?? 0)}
            </span>
          ))}
        </span>
      )}
    </span>
  )
}
