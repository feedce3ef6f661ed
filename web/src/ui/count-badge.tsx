import { cn } from '@/lib/cn.ts'
import { formatCount, hotCount } from '@/lib/format.ts'

/** A small figure beside a label; red from 500 up when `alarming`. */
export function CountBadge({
  count,
  alarming = false,
  className,
}: {
  count: number
  alarming?: boolean
  className?: string
}) {
  const hot = alarming && count >= hotCount
  return (
    <span
      title={count > 999 ? count.toLocaleString('en') : undefined}
      data-hot={hot || undefined}
      className={cn(
        'inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full px-1.5 text-2xs font-medium',
        hot ? 'bg-bad-soft text-bad-text' : 'bg-chip text-muted',
        className,
      )}
    >
      {formatCount(count)}
    </span>
  )
}
