import { Collapsible } from '@base-ui/react/collapsible'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'
import { CountBadge } from './count-badge.tsx'

/** The heading of a part of a page, with room for a count and actions. */
export function SectionHeader({
  title,
  count,
  actions,
  className,
}: {
  title: ReactNode
  count?: number
  actions?: ReactNode
  className?: string
}) {
  return (
    <div className={cn('flex min-h-8 items-center gap-2', className)}>
      <h2 className="truncate text-sm font-semibold">{title}</h2>
      {count !== undefined && <CountBadge count={count} />}
      <div className="ml-auto flex items-center gap-1">{actions}</div>
    </div>
  )
}

export interface CollapsibleSectionProps {
  title: ReactNode
  count?: number
  actions?: ReactNode
  children: ReactNode
  defaultOpen?: boolean
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
}

/** A section of a side panel that folds away. */
export function CollapsibleSection({
  title,
  count,
  actions,
  children,
  defaultOpen = true,
  open,
  onOpenChange,
  className,
}: CollapsibleSectionProps) {
  return (
    <Collapsible.Root
      defaultOpen={defaultOpen}
      open={open}
      onOpenChange={(next) => onOpenChange?.(next)}
      className={cn('border-b border-line', className)}
    >
      <div className="flex h-10 items-center gap-1">
        <Collapsible.Trigger className="group flex h-full min-w-0 flex-1 items-center gap-1.5 rounded-sm text-left">
          <ChevronRight
            size={14}
            aria-hidden
            className="shrink-0 text-subtle transition-transform group-data-panel-open:rotate-90"
          />
          <span className="truncate text-sm font-semibold">{title}</span>
          {count !== undefined && <CountBadge count={count} />}
        </Collapsible.Trigger>
        {actions}
      </div>
      <Collapsible.Panel className="pb-3 pl-5">{children}</Collapsible.Panel>
    </Collapsible.Root>
  )
}
