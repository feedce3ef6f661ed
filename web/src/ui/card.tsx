import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'

export interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode
  actions?: ReactNode
  /** Without padding, for tables and lists that reach the edge. */
  flush?: boolean
}

/** A bordered surface; for the few things that stand apart, space does the rest. */
export function Card({ title, actions, flush, className, children, ...props }: CardProps) {
  return (
    <section {...props} className={cn('rounded-lg border border-line bg-surface', className)}>
      {(title || actions) && (
        <header className="flex min-h-11 items-center gap-2 border-b border-line px-4 py-1.5">
          <h2 className="min-w-0 flex-1 truncate text-sm font-semibold">{title}</h2>
          {actions}
        </header>
      )}
      {flush ? children : <div className="p-4">{children}</div>}
    </section>
  )
}
