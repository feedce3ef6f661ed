import { ageTick, type DateLike, formatAge, formatDate, toDate } from '@/lib/dates.ts'
import { cn } from '@/lib/cn.ts'
import { useNow } from './use-now.ts'

export interface AgeProps {
  value: DateLike
  /** Words around it, e.g. suffix " ago"; not shown when there is no date. */
  prefix?: string
  suffix?: string
  /** Shown when there is no date. */
  empty?: string
  className?: string
}

/** How long ago something was, ticking, with the exact time on hover. */
export function Age({ value, prefix = '', suffix = '', empty = '', className }: AgeProps) {
  const pace = ageTick(value)
  const now = useNow(Number.isFinite(pace) ? pace : 60_000)
  const date = toDate(value)
  if (!date) return empty ? <span className={cn('text-subtle', className)}>{empty}</span> : null
  return (
    <time dateTime={date.toISOString()} title={formatDate(date, 'long')} className={cn('whitespace-nowrap', className)}>
      {prefix}
      {formatAge(date, now)}
      {suffix}
    </time>
  )
}

/** A date in full, with the age on hover. */
export function DateTime({ value, className }: { value: DateLike; className?: string }) {
  const date = toDate(value)
  if (!date) return null
  return (
    <time dateTime={date.toISOString()} title={formatDate(date, 'long')} className={cn('whitespace-nowrap', className)}>
      {formatDate(date)}
    </time>
  )
}
