import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'
import { CountBadge } from './count-badge.tsx'

/** The look of one tab, for tabs that are links: set aria-current="page" on the active one. */
export const tabClass = cn(
  'relative inline-flex h-9 shrink-0 items-center gap-1.5 px-1 text-sm font-medium whitespace-nowrap text-muted outline-offset-[-2px] select-none hover:text-fg',
  "after:absolute after:inset-x-0 after:-bottom-px after:h-0.5 after:rounded-full after:content-['']",
  'aria-[current=page]:text-fg aria-[current=page]:after:bg-accent data-active:text-fg data-active:after:bg-accent',
  'data-disabled:text-subtle data-disabled:opacity-60',
)
/** The line that tabs stand on; it scrolls sideways rather than wrapping. */
export const tabListClass = 'flex gap-4 overflow-x-auto overflow-y-hidden border-b border-line [scrollbar-width:none]'

export interface TabItem {
  value: string
  label: ReactNode
  count?: number
  disabled?: boolean
}

export interface TabsProps {
  value: string
  onChange: (value: string) => void
  tabs: readonly TabItem[]
  /** TabPanel elements. */
  children?: ReactNode
  className?: string
  listClassName?: string
  'aria-label'?: string
}

/** A row of tabs with their panels. */
export function Tabs({ value, onChange, tabs, children, className, listClassName, ...props }: TabsProps) {
  return (
    <Base.Root
      value={value}
      onValueChange={(next: string) => onChange(next)}
      className={cn('flex min-h-0 flex-col', className)}
    >
      <Base.List {...props} className={cn(tabListClass, 'shrink-0', listClassName)} activateOnFocus={false}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} disabled={tab.disabled} className={tabClass}>
            {tab.label}
            {tab.count !== undefined && <CountBadge count={tab.count} />}
          </Base.Tab>
        ))}
      </Base.List>
      {children}
    </Base.Root>
  )
}

/** The content of one tab; mounted only while its tab is active, unless it holds input that must not be lost. */
export function TabPanel({
  value,
  children,
  className,
  keepMounted,
}: {
  value: string
  children: ReactNode
  className?: string
  keepMounted?: boolean
}) {
  return (
    <Base.Panel value={value} keepMounted={keepMounted} className={cn('min-h-0 flex-1', className)}>
      {children}
    </Base.Panel>
  )
}
