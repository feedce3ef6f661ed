import { Inbox, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'

export interface EmptyStateProps {
  title?: ReactNode
  /** What would be here and how it gets here. */
  children?: ReactNode
  icon?: LucideIcon
  /** The next step, usually one button. */
  action?: ReactNode
  className?: string
}

/** Stands where a list or page has nothing to show, and offers the next step. */
export function EmptyState({
  title = 'No data available',
  children,
  icon: Icon = Inbox,
  action,
  className,
}: EmptyStateProps) {
  return (
    <div className={cn('flex flex-col items-center justify-center gap-1 px-6 py-12 text-center', className)}>
      <Icon size={22} strokeWidth={1.5} aria-hidden className="mb-1.5 text-subtle" />
      <p className="text-sm font-medium">{title}</p>
      {children && <div className="max-w-prose text-sm text-pretty text-muted">{children}</div>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
