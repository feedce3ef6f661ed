import { Popover as Base } from '@base-ui/react/popover'
import {
  mappedRanges,
  relativeRange,
  relativeRanges,
  rememberRange,
  type TimeRange,
} from '@quarterdeck/contract/time-range'
import { Check, ChevronDown, Clock } from 'lucide-react'
import { useState } from 'react'
import { cn } from '@/lib/cn.ts'
import { formatDate } from '@/lib/dates.ts'
import { useStored } from '@/lib/storage.ts'
import { Button } from '../button.tsx'
import { AbsoluteForm } from './absolute-form.tsx'

type Absolute = Extract<TimeRange, { type: 'absolute' }>
const none: Absolute[] = []

/** A range in words: Last 2 days, Previous week, or its two ends. */
export function describeRange(range: TimeRange): string {
  if (range.type === 'relative') return `Last ${range.display}`
  return range.type === 'mapped' ? range.display : `${formatDate(range.from)} – ${formatDate(range.to)}`
}

export interface TimeRangePickerProps {
  value: TimeRange | undefined
  /** undefined clears: the page goes back to its default, the address to no time parameters. */
  onChange: (range: TimeRange | undefined) => void
  placeholder?: string
  className?: string
}

/** Chooses a relative, a quick or an absolute time range. */
export function TimeRangePicker({ value, onChange, placeholder = 'Any time', className }: TimeRangePickerProps) {
  const [open, setOpen] = useState(false)
  const [recent, setRecent] = useStored<Absolute[]>('quarterdeck.recent-ranges', none)
  const choose = (range: TimeRange | undefined) => {
    if (range?.type === 'absolute') setRecent(rememberRange(recent, range))
    onChange(range)
    setOpen(false)
  }
  return (
    <Base.Root open={open} onOpenChange={(next) => setOpen(next)}>
      <Base.Trigger
        className={cn(
          'inline-flex h-8 max-w-full shrink-0 items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 text-sm whitespace-nowrap select-none hover:bg-hover data-popup-open:bg-hover',
          className,
        )}
      >
        <Clock size={14} aria-hidden className="shrink-0 text-subtle" />
        <span className="sr-only">Time range: </span>
        <span className="truncate">{value ? describeRange(value) : placeholder}</span>
        <ChevronDown size={14} aria-hidden className="shrink-0 text-subtle" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-60 outline-none">
          <Base.Popup
            aria-label="Time range"
            className="popup flex max-h-[min(34rem,var(--available-height))] max-w-(--available-width) overflow-y-auto max-sm:flex-col-reverse"
          >
            <div className="flex flex-col gap-3 p-3 sm:border-r sm:border-line">
              <AbsoluteForm value={value} onApply={choose} />
              {recent.length > 0 && (
                <section className="flex flex-col">
                  <h3 className="mb-1 text-xs text-subtle">Recently used</h3>
                  {recent.map((range) => (
                    <Line key={range.from + range.to} isActive={false} onClick={() => choose(range)}>
                      <span className="text-xs">{describeRange(range)}</span>
                    </Line>
                  ))}
                </section>
              )}
            </div>
            <div className="flex min-w-52 flex-1 flex-col sm:min-h-0">
              <div className="min-h-0 flex-1 p-1.5 sm:overflow-y-auto">
                <Group title="Last">
                  {relativeRanges.map(({ range, display }) => (
                    <Line
                      key={range}
                      isActive={value?.type === 'relative' && value.range === range}
                      onClick={() => choose(relativeRange(range))}
                    >
                      {display}
                    </Line>
                  ))}
                </Group>
                <Group title="Calendar">
                  {mappedRanges.map(({ display }) => (
                    <Line
                      key={display}
                      isActive={value?.type === 'mapped' && value.display === display}
                      onClick={() => choose({ type: 'mapped', display })}
                    >
                      {display}
                    </Line>
                  ))}
                </Group>
              </div>
              <div className="border-t border-line p-1.5">
                <Button variant="ghost" size="sm" className="w-full" onClick={() => choose(undefined)}>
                  Clear
                </Button>
              </div>
            </div>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col pb-1">
      <h3 className="px-2 pt-1 pb-0.5 text-xs text-subtle">{title}</h3>
      {children}
    </section>
  )
}

function Line({ isActive, onClick, children }: { isActive: boolean; onClick: () => void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={isActive}
      onClick={onClick}
      className="option min-h-7 w-full py-1 text-left whitespace-nowrap hover:bg-hover"
    >
      <span className="flex-1">{children}</span>
      {isActive && <Check size={14} aria-hidden className="text-accent-text" />}
    </button>
  )
}
