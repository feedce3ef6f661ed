import type { ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'

/** One figure with its name above and a remark below; several stand in a row without boxes. */
export function StatTile({
  label,
  children,
  hint,
  className,
}: {
  label: ReactNode
  children: ReactNode
  hint?: ReactNode
  className?: string
}) {
  return (
    <div className={cn('flex min-w-0 flex-col gap-0.5', className)}>
      <div className="truncate text-xs text-subtle">{label}</div>
      <div className="truncate text-lg font-semibold">{children}</div>
      {hint && <div className="truncate text-xs text-muted">{hint}</div>}
    </div>
  )
}

/** Stat tiles in a line that wraps. */
export function StatRow({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cn('flex flex-wrap gap-x-8 gap-y-3', className)}>{children}</div>
}
