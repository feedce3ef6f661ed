import { cn } from '@/lib/cn.ts'
import { formatPercent, usageLevel } from '@/lib/format.ts'

const colours = { red: 'bg-bad', orange: 'bg-warn', green: 'bg-ok' }

export interface UsageBarProps {
  /** Percent used; above 100 the bar is full and the text shows the multiple. */
  percent: number
  label: string
  /** Figures beside the bar, e.g. "3.2 of 4 GB". */
  children?: React.ReactNode
  className?: string
}

/** How much of something is used: red above 90 percent, orange above 75, green otherwise. */
export function UsageBar({ percent, label, children, className }: UsageBarProps) {
  const level = usageLevel(percent)
  return (
    <div className={cn('flex min-w-0 items-center gap-2 text-xs', className)}>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, Math.max(0, Math.round(percent)))}
        aria-valuetext={formatPercent(percent)}
        data-level={level}
        className="h-1.5 min-w-10 flex-1 overflow-hidden rounded-full bg-pressed"
      >
        <div
          className={cn('h-full rounded-full', colours[level])}
          style={{ width: `${Math.min(100, Math.max(0, percent))}%` }}
        />
      </div>
      <span className="shrink-0 text-muted">{children ?? formatPercent(percent)}</span>
    </div>
  )
}
