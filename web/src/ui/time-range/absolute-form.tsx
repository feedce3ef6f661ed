import { parseDateMath } from '@quarterdeck/contract/date-math'
import { absoluteRange, type TimeRange } from '@quarterdeck/contract/time-range'
import { lazy, Suspense, useState } from 'react'
import { formatDate } from '@/lib/dates.ts'
import { Button } from '../button.tsx'
import { Input } from '../input.tsx'
import { Skeleton } from '../skeleton.tsx'

const Calendar = lazy(async () => ({ default: (await import('./calendar.tsx')).Calendar }))

/** What somebody typed as a point in time: 2024-08-29 16:05, a date alone, or date math such as now-2d. */
export function parseWhen(text: string): Date | undefined {
  const written = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{1,2}:\d{2})(:\d{2})?)?$/.exec(text.trim())
  if (!written) return parseDateMath(text, { zone: 'local' })
  const date = new Date(`${written[1]}T${(written[2] ?? '00:00').padStart(5, '0')}${written[3] ?? ':00'}`)
  return Number.isNaN(+date) ? undefined : date
}

const write = (date: Date | undefined) => (date ? formatDate(date) : '')

/** From and To, typed or picked in the calendar. */
export function AbsoluteForm({
  value,
  onApply,
}: {
  value: TimeRange | undefined
  onApply: (range: TimeRange) => void
}) {
  const initial = value?.type === 'absolute' ? value : undefined
  const [from, setFrom] = useState(write(initial && new Date(initial.from)))
  const [to, setTo] = useState(write(initial && new Date(initial.to)))
  const [start, end] = [parseWhen(from), parseWhen(to)]
  const isBackwards = !!start && !!end && +start >= +end
  const pickDays = (first: Date | undefined, last: Date | undefined) => {
    setFrom(write(first && withTime(first, start, 0, 0)))
    setTo(write(last && withTime(last, end, 23, 59)))
  }
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        // The form may stand inside another one through a portal.
        event.stopPropagation()
        if (start && end && !isBackwards) onApply(absoluteRange(start, end))
      }}
    >
      {(
        [
          ['From', from, setFrom, start],
          ['To', to, setTo, end],
        ] as const
      ).map(([label, text, setText, parsed]) => (
        <label key={label} className="flex flex-col gap-1 text-xs text-muted">
          {label}
          <Input
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder="YYYY-MM-DD HH:mm"
            aria-invalid={(text !== '' && !parsed) || undefined}
            spellCheck={false}
            autoComplete="off"
          />
        </label>
      ))}
      {isBackwards && <p className="text-xs text-bad-text">From must be before To</p>}
      <Suspense fallback={<Skeleton className="h-64 w-56" />}>
        <Calendar from={start} to={end} onChange={pickDays} />
      </Suspense>
      <Button type="submit" variant="primary" disabled={!start || !end || isBackwards}>
        Submit
      </Button>
    </form>
  )
}

/** A picked day keeps the time that was typed before, or gets the start or end of the day. */
function withTime(day: Date, previous: Date | undefined, hours: number, minutes: number) {
  const date = new Date(day)
  date.setHours(previous?.getHours() ?? hours, previous?.getMinutes() ?? minutes, 0, 0)
  return date
}
