import { ChevronDown } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { cn } from '@/lib/cn.ts'
import { CountBadge } from './count-badge.tsx'
import { OptionList } from './option-list.tsx'
import { Popover } from './popover.tsx'
import { tabClass, tabListClass } from './tabs.tsx'

export interface StripTab {
  value: string
  label: string
  count?: number
}

/**
 * Tabs made from data, such as one per namespace: one line that scrolls, and a searchable list of all of them when they
 * do not fit. Arrow keys move between tabs.
 */
export function TabStrip({
  label,
  tabs,
  value,
  onChange,
  className,
}: {
  label: string
  tabs: readonly StripTab[]
  value: string
  onChange: (value: string) => void
  className?: string
}) {
  const line = useRef<HTMLDivElement>(null)
  const [overflows, setOverflows] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const box = line.current
    if (!box) return
    const measure = () => setOverflows(box.scrollWidth > box.clientWidth + 1)
    measure()
    const watcher = new ResizeObserver(measure)
    watcher.observe(box)
    return () => watcher.disconnect()
  }, [tabs])
  useEffect(() => {
    line.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [value])
  const options = useMemo(() => tabs.map((tab) => ({ value: tab.value, label: tab.label, hint: tab.count })), [tabs])
  const move = (by: number) => {
    const at = tabs.findIndex((tab) => tab.value === value)
    const next = tabs[(at + by + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.value)
    line.current?.querySelector<HTMLElement>(`[data-value="${CSS.escape(next.value)}"]`)?.focus()
  }
  return (
    <div className={cn('flex min-w-0 items-end border-b border-line', className)}>
      <div ref={line} role="tablist" aria-label={label} className={cn(tabListClass, 'min-w-0 flex-1 border-b-0')}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            data-value={tab.value}
            aria-selected={tab.value === value}
            data-active={tab.value === value ? '' : undefined}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={(event) => {
              const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
              if (!by) return
              event.preventDefault()
              move(by)
            }}
            className={cn(tabClass, 'after:bottom-0')}
          >
            <span className="max-w-48 truncate">{tab.label}</span>
            {tab.count !== undefined && <CountBadge count={tab.count} />}
          </button>
        ))}
      </div>
      {overflows && (
        <Popover
          align="end"
          className="overflow-hidden p-0"
          open={isOpen}
          onOpenChange={setOpen}
          trigger={
            <button
              type="button"
              className="mb-1 ml-2 inline-flex h-7 shrink-0 items-center gap-1 rounded-md px-2 text-xs text-muted hover:bg-hover hover:text-fg"
            >
              All {tabs.length}
              <ChevronDown size={13} aria-hidden />
            </button>
          }
        >
          <div className="w-72">
            <OptionList
              label={label}
              mode="one"
              options={options}
              stateOf={(each) => (each === value ? 1 : 0)}
              onPick={(each) => {
                onChange(each)
                setOpen(false)
              }}
            />
          </div>
        </Popover>
      )}
    </div>
  )
}
