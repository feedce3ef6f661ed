import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type DateRange, DayPicker } from 'react-day-picker'

const classNames = {
  root: 'relative text-sm select-none',
  months: 'flex',
  month_caption: 'flex h-8 items-center px-1 font-medium',
  nav: 'absolute top-0 right-0 flex gap-0.5',
  button_previous:
    'grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-fg disabled:opacity-40',
  button_next: 'grid size-8 place-items-center rounded-md text-muted hover:bg-hover hover:text-fg disabled:opacity-40',
  month_grid: 'mt-1 border-separate border-spacing-y-px',
  weekday: 'size-8 text-center text-xs font-normal text-subtle',
  day: 'size-8 p-0 text-center',
  day_button: 'size-8 rounded-md hover:bg-hover aria-disabled:text-subtle',
  today: 'font-semibold text-accent-text',
  outside: 'text-subtle',
  range_start:
    'rounded-l-md bg-accent-soft [&>button]:bg-accent [&>button]:text-on-accent [&>button]:hover:bg-accent-hover',
  range_end:
    'rounded-r-md bg-accent-soft [&>button]:bg-accent [&>button]:text-on-accent [&>button]:hover:bg-accent-hover',
  range_middle: 'bg-accent-soft',
  disabled: 'opacity-40',
  hidden: 'invisible',
}

const components = {
  Chevron: ({ orientation }: { orientation?: string }) =>
    orientation === 'left' ? <ChevronLeft size={16} /> : <ChevronRight size={16} />,
}

export interface CalendarProps {
  from: Date | undefined
  to: Date | undefined
  onChange: (from: Date | undefined, to: Date | undefined) => void
}

/** A month on which a first and a last day are chosen. Loaded when a picker opens. */
export function Calendar({ from, to, onChange }: CalendarProps) {
  return (
    <DayPicker
      mode="range"
      weekStartsOn={1}
      fixedWeeks
      showOutsideDays
      defaultMonth={from ?? to}
      selected={{ from, to }}
      onSelect={(range: DateRange | undefined) => onChange(range?.from, range?.to)}
      classNames={classNames}
      components={components}
    />
  )
}
