import { useEffect, useRef } from 'react'
import { cn } from '@/lib/cn.ts'
import { Combobox } from '@/ui/combobox.tsx'
import type { Tab } from '../grouping.ts'
import { allTab } from '../grouping.ts'

/** More tabs than this also get a searchable list: nobody scrolls through two hundred. */
const searchableFrom = 8

/** Tabs in one line that scrolls, whatever their number. */
export function HealthTabs({
  tabs,
  value,
  onChange,
}: {
  tabs: readonly Tab[]
  value: string
  onChange: (name: string) => void
}) {
  const active = useRef<HTMLButtonElement>(null)
  useEffect(() => active.current?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' }), [value])
  if (tabs.length <= 2) return null
  return (
    <div className="flex shrink-0 items-center gap-3 border-b border-line bg-surface px-4">
      <div
        role="tablist"
        aria-label="Groups of checks"
        className="flex min-w-0 flex-1 gap-4 overflow-x-auto [scrollbar-width:none]"
      >
        {tabs.map((tab) => {
          const isActive = tab.name === value
          return (
            <button
              key={tab.name}
              ref={isActive ? active : undefined}
              type="button"
              role="tab"
              aria-selected={isActive}
              tabIndex={isActive ? 0 : -1}
              onClick={() => onChange(tab.name)}
              onKeyDown={(event) => moveFocus(event)}
              className={cn(
                'flex h-9 shrink-0 items-center gap-1.5 border-b-2 text-sm whitespace-nowrap',
                isActive ? 'border-accent font-medium text-text' : 'border-transparent text-muted hover:text-text',
              )}
            >
              {tab.name}
              <span className="text-xs text-subtle tabular-nums">{tab.total.toLocaleString('en-US')}</span>
              {tab.failing > 0 && tab.name !== allTab && (
                <span className="size-1.5 rounded-[1px] bg-bad" title={`${tab.failing} failing`} />
              )}
            </button>
          )
        })}
      </div>
      {tabs.length > searchableFrom && (
        <div className="w-44 shrink-0">
          <Combobox
            aria-label="Find a tab"
            value={value}
            options={tabs.map((tab) => ({ value: tab.name, label: tab.name }))}
            onChange={(name) => onChange(name ?? allTab)}
          />
        </div>
      )}
    </div>
  )
}

function moveFocus(event: React.KeyboardEvent<HTMLButtonElement>): void {
  const step =
    event.key === 'ArrowRight' ? 'nextElementSibling' : event.key === 'ArrowLeft' ? 'previousElementSibling' : undefined
  const next = step && event.currentTarget[step]
  if (next instanceof HTMLElement) {
    next.focus()
    next.click()
  }
}
