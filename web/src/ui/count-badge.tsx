import { cn } from '@/lib/cn.ts'

/** 1234 → "1k+"; up to 999 the figure itself. */
export function formatCount(count: number) {
  return count > 999 ? `${Math.floor(count / 1000)}k+` : String(count)
}

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
  const hot = alarming && count >= 500
  return (
    <span
      title={count > 999 ? count.toLocaleString('en') : undefined}
      data-hot={hot || undefined}
      className={cn(
        'inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full px-1.5 text-2xs font-medium',
        hot ? 'bg-bad-soft text-bad-text' : 'bg-sunken text-muted',
        className,
      )}
    >
      {formatCount(count)}
    </span>
  )
}
