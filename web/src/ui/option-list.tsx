/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus, jsx-a11y/no-static-element-interactions --
   the focus stays in the input, which names the active option and handles every key */
import { useVirtualizer } from '@tanstack/react-virtual'
import { Ban, Check, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { cn } from '@/lib/cn.ts'
import { debounces, useDebounced } from '@/lib/use-debounced.ts'
import type { Option } from './option.ts'
import { SkeletonLines } from './skeleton.tsx'

export interface OptionListProps<V extends string> {
  label: string
  options: readonly Option<V>[] | undefined
  /** one: picking closes; many: boxes to tick; signed: include or exclude. */
  mode: 'one' | 'many' | 'signed'
  /** 1 chosen or included, -1 excluded, 0 neither. */
  stateOf: (value: V) => -1 | 0 | 1
  onPick: (value: V, sign: 1 | -1) => void
  /** The search text when the options come from a search; otherwise the list filters by itself. */
  query?: string
  onQueryChange?: (query: string) => void
  isLoading?: boolean
  /** Adds what was typed as a new value. */
  onCreate?: (text: string) => void
  empty?: ReactNode
  footer?: ReactNode
}

const rowHeight = 30

/** A searchable list of options inside a popup; arrows move, Enter picks, Shift+Enter excludes. */
export function OptionList<V extends string>(props: OptionListProps<V>) {
  const { options, mode, stateOf, onPick, onCreate } = props
  const id = useId()
  const isRemote = props.onQueryChange !== undefined
  const [text, setText] = useState('')
  const typed = isRemote ? (props.query ?? '') : text
  const settled = useDebounced(text, debounces.options)
  const matches = useMemo(() => {
    const wanted = isRemote ? '' : settled.trim().toLowerCase()
    return (options ?? []).filter(
      (o) => !wanted || o.label.toLowerCase().includes(wanted) || o.value.toLowerCase().includes(wanted),
    )
  }, [options, settled, isRemote])
  const canCreate = !!onCreate && typed.trim() !== '' && !matches.some((o) => o.value === typed.trim())
  const count = matches.length + (canCreate ? 1 : 0)
  const [active, setActive] = useState(0)
  useEffect(() => setActive(0), [settled, options])

  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: matches.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect: { width: 300, height: 300 },
  })

  const pick = (index: number, sign: 1 | -1) => {
    const option = matches[index]
    if (option && !option.disabled) onPick(option.value, sign)
    else if (!option && canCreate) onCreate(typed.trim())
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = (index: number) => {
      event.preventDefault()
      const next = Math.max(0, Math.min(index, count - 1))
      setActive(next)
      if (next < matches.length) virtualizer.scrollToIndex(next)
    }
    if (event.key === 'ArrowDown') to(active + 1)
    else if (event.key === 'ArrowUp') to(active - 1)
    else if (event.key === 'PageDown') to(active + 8)
    else if (event.key === 'PageUp') to(active - 8)
    else if (event.key === 'Enter') {
      event.preventDefault()
      pick(active, mode === 'signed' && event.shiftKey ? -1 : 1)
    }
  }

  // The rows are placed absolutely and cannot widen the popup, so it takes the width of the longest label.
  const longest = useMemo(() => (options ?? []).reduce((most, o) => Math.max(most, o.label.length), 0), [options])
  return (
    <div
      style={{ width: `min(100%, calc(${Math.min(longest, 110)}ch + 6rem))` }}
      className="flex max-h-[min(22rem,var(--available-height))] min-w-full flex-col"
    >
      <div className="flex h-9 shrink-0 items-center gap-2 border-b border-line px-3">
        <Search size={15} aria-hidden className="shrink-0 text-subtle" />
        <input
          autoFocus
          role="combobox"
          aria-label={`Search ${props.label}`}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={count > 0 ? `${id}-${active}` : undefined}
          placeholder="Search…"
          spellCheck={false}
          autoComplete="off"
          value={typed}
          onChange={(event) => (isRemote ? props.onQueryChange?.(event.target.value) : setText(event.target.value))}
          onKeyDown={onKeyDown}
          className="h-full w-full min-w-0 bg-transparent text-sm outline-none"
        />
      </div>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto p-1">
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={props.label}
          aria-multiselectable={mode !== 'one' || undefined}
          className="relative"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const option = matches[index]!
            return (
              <OptionRow
                key={option.value}
                id={`${id}-${index}`}
                option={option}
                mode={mode}
                state={stateOf(option.value)}
                isActive={index === active}
                top={start}
                onHover={() => setActive(index)}
                onPick={(sign) => pick(index, sign)}
              />
            )
          })}
        </div>
        {canCreate && (
          <div
            id={`${id}-${matches.length}`}
            role="option"
            aria-selected={false}
            data-highlighted={active === matches.length ? '' : undefined}
            className="option"
            onClick={() => onCreate(typed.trim())}
          >
            Use “{typed.trim()}”
          </div>
        )}
        {props.isLoading || options === undefined ? (
          matches.length === 0 && <SkeletonLines className="p-2" />
        ) : count === 0 ? (
          <div className="px-2 py-3 text-center text-sm text-muted">{props.empty ?? 'No result'}</div>
        ) : null}
      </div>
      {props.footer && <div className="shrink-0 border-t border-line p-1.5">{props.footer}</div>}
    </div>
  )
}

interface OptionRowProps {
  id: string
  option: Option
  mode: OptionListProps<string>['mode']
  state: -1 | 0 | 1
  isActive: boolean
  top: number
  onHover: () => void
  onPick: (sign: 1 | -1) => void
}

const stateWord = { '-1': 'excluded', '0': '', '1': 'included' } as const

function OptionRow({ id, option, mode, state, isActive, top, onHover, onPick }: OptionRowProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={state !== 0}
      aria-disabled={option.disabled || undefined}
      data-highlighted={isActive ? '' : undefined}
      data-disabled={option.disabled ? '' : undefined}
      title={option.label}
      style={{ transform: `translateY(${top}px)`, height: rowHeight }}
      onMouseMove={onHover}
      onClick={() => onPick(1)}
      className="option absolute inset-x-0 top-0 group"
    >
      {mode === 'one' && (
        <Check size={14} aria-hidden className={cn('shrink-0 text-accent-text', state !== 1 && 'invisible')} />
      )}
      {mode === 'many' && (
        <span
          aria-hidden
          className={cn(
            'grid size-4 shrink-0 place-items-center rounded-sm border',
            state === 1 ? 'border-accent bg-accent text-on-accent' : 'border-line-strong',
          )}
        >
          {state === 1 && <Check size={12} strokeWidth={3} />}
        </span>
      )}
      {option.icon}
      <span className={cn('min-w-0 flex-1 truncate', state === -1 && 'line-through')}>{option.label}</span>
      {mode === 'signed' && state !== 0 && <span className="sr-only">{stateWord[state]}</span>}
      {option.hint && <span className="shrink-0 text-xs text-subtle">{option.hint}</span>}
      {mode === 'signed' && (
        // Pointer shortcuts only; the option itself is the control (Enter includes, Shift+Enter excludes).
        <span aria-hidden className="flex shrink-0 gap-0.5">
          {([1, -1] as const).map((sign) => (
            <span
              key={sign}
              title={sign === 1 ? 'Include' : 'Exclude'}
              data-sign={sign}
              onClick={(event) => {
                event.stopPropagation()
                onPick(sign)
              }}
              className={cn(
                'grid size-5 place-items-center rounded-sm text-subtle hover:bg-pressed',
                state === sign
                  ? sign === 1
                    ? 'bg-accent-soft text-accent-text'
                    : 'bg-bad-soft text-bad-text'
                  : 'opacity-0 group-data-highlighted:opacity-100',
              )}
            >
              {sign === 1 ? <Check size={13} /> : <Ban size={13} />}
            </span>
          ))}
        </span>
      )}
    </div>
  )
}
