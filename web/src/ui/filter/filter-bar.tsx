import { toggleTriState } from '@quarterdeck/contract/tri-state'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { cn } from '@/lib/cn.ts'
import { debounces, useDebouncedCallback } from '@/lib/use-debounced.ts'
import { Button } from '../button.tsx'
import { SearchInput } from '../input.tsx'
import { Kbd } from '../kbd.tsx'
import { OptionList } from '../option-list.tsx'
import { FilterControl } from './filter-control.tsx'
import { type Chip, chipsOf, type Filter, summaryOf } from './filters.ts'

export interface FilterBarProps {
  search?: { value: string; onChange: (value: string) => void; placeholder?: string; debounce?: number }
  filters?: readonly Filter[]
  /** Chips for what the controls do not show themselves; off by default, the buttons already name their values. */
  chips?: boolean
  /** Removes every filter; shown while something is active. */
  onClear?: () => void
  isActive?: boolean
  /** Controls at the right end: view switch, columns, add. */
  actions?: ReactNode
  className?: string
}

/** The one place of a page's filters: search, choices, chips, clear. */
export function FilterBar({
  search,
  filters = [],
  chips = false,
  onClear,
  isActive,
  actions,
  className,
}: FilterBarProps) {
  const active = filters.flatMap(chipsOf)
  const canClear = onClear && (isActive ?? (active.length > 0 || !!search?.value))
  return (
    <div className={cn('flex flex-col gap-2', className)}>
      <div role="search" aria-label="Filters" className="flex flex-wrap items-center gap-2">
        {search && <SearchFilter {...search} />}
        {filters.map((filter) => (
          <FilterItem key={filter.label} filter={filter} />
        ))}
        {canClear && (
          <Button variant="ghost" icon={X} onClick={onClear}>
            Clear
          </Button>
        )}
        {actions && <div className="ml-auto flex items-center gap-2">{actions}</div>}
      </div>
      {chips && active.length > 0 && <FilterChips chips={active} />}
    </div>
  )
}

function FilterItem({ filter }: { filter: Filter }) {
  if (filter.kind === 'element') return filter.element
  return (
    <FilterControl label={filter.label} summary={summaryOf(filter)} onOpen={filter.onOpen}>
      {(close) => <FilterOptions filter={filter} close={close} />}
    </FilterControl>
  )
}

function FilterOptions({ filter, close }: { filter: Exclude<Filter, { kind: 'element' }>; close: () => void }) {
  const shared = { label: filter.label, options: filter.options }
  const clear = (remove: () => void) =>
    chipsOf(filter).length > 0 && (
      <Button variant="ghost" size="sm" className="w-full" onClick={remove}>
        Clear {filter.label}
      </Button>
    )
  if (filter.kind === 'signed')
    return (
      <OptionList
        {...shared}
        mode="signed"
        stateOf={(value) => filter.value[value] ?? 0}
        onPick={(value, sign) => filter.onChange(toggleTriState(filter.value, value, sign, filter.group))}
        footer={clear(() => filter.onChange({}))}
      />
    )
  if (filter.kind === 'many') {
    const { value } = filter
    return (
      <OptionList
        {...shared}
        mode="many"
        stateOf={(item) => (value.includes(item) ? 1 : 0)}
        onPick={(item) => filter.onChange(value.includes(item) ? value.filter((v) => v !== item) : [...value, item])}
        footer={clear(() => filter.onChange([]))}
      />
    )
  }
  return (
    <OptionList
      {...shared}
      mode="one"
      stateOf={(value) => (value === filter.value ? 1 : 0)}
      onPick={(value) => {
        filter.onChange(value === filter.value ? undefined : value)
        close()
      }}
      footer={clear(() => filter.onChange(undefined))}
    />
  )
}

/** The search box of a bar: it reports after typing rests, at once on Enter; `/` focuses it. */
export function SearchFilter({
  value,
  onChange,
  placeholder = 'Search',
  debounce = debounces.search,
}: NonNullable<FilterBarProps['search']>) {
  const [text, setText] = useState(value)
  const said = useRef(value)
  const { call, flush, cancel } = useDebouncedCallback((next: string) => {
    said.current = next
    onChange(next)
  }, debounce)
  // The address can change without us, e.g. by going back. Our own word that comes back must not undo what was typed since.
  useEffect(() => {
    if (value === said.current) return
    said.current = value
    cancel()
    setText(value)
  }, [value, cancel])
  return (
    <SearchInput
      aria-label={placeholder}
      placeholder={placeholder}
      value={text}
      onValueChange={(next) => {
        setText(next)
        call(next)
        if (next === '') flush()
      }}
      onBlur={flush}
      onKeyDown={(event) => {
        if (event.key === 'Enter') flush()
        if (event.key === 'Escape') event.currentTarget.blur()
      }}
      suffix={<Kbd>/</Kbd>}
      className="w-60 max-sm:w-full"
    />
  )
}

/** What is filtered, each piece removable. */
export function FilterChips({ chips, className }: { chips: readonly Chip[]; className?: string }) {
  return (
    <ul aria-label="Active filters" className={cn('flex flex-wrap gap-1.5', className)}>
      {chips.map((chip) => (
        <li
          key={chip.key}
          className={cn(
            'inline-flex h-6 max-w-80 items-center gap-1 rounded-md pl-2 text-xs',
            chip.isExcluded ? 'bg-bad-soft' : 'bg-accent-soft',
          )}
        >
          <span className="shrink-0 text-muted">{chip.filter}:</span>
          <span className={cn('truncate font-medium', chip.isExcluded && !chip.isCount && 'line-through')}>
            {chip.text}
          </span>
          {chip.isExcluded && !chip.isCount && <span className="sr-only">excluded</span>}
          <button
            type="button"
            aria-label={`Remove ${chip.filter} ${chip.text}`}
            onClick={chip.remove}
            className="grid size-6 shrink-0 place-items-center rounded-md text-muted hover:text-fg"
          >
            <X size={13} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}
