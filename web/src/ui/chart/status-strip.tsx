import { cn } from '@/lib/cn.ts'
import { formatDate } from '@/lib/dates.ts'
import { plural } from '@/lib/format.ts'
import { type Health } from '../status.tsx'

export interface StripEntry {
  time: number | string | Date
  health: Health
  /** Said on hover, e.g. the message and duration of a run. */
  text?: string
}

const order: Health[] = ['unhealthy', 'warning', 'unknown', 'healthy']
const looks: Record<Health, string> = {
  healthy: 'bg-ok h-full',
  warning: 'bg-warn h-4/5',
  unhealthy: 'bg-bad h-full',
  unknown: 'bg-unknown h-1/3',
}

/** Groups entries so that at most `most` bars remain; a bar shows the worst of its group. */
export function squeeze(entries: readonly StripEntry[], most: number): { health: Health; entries: StripEntry[] }[] {
  const size = Math.max(1, Math.ceil(entries.length / most))
  return Array.from({ length: Math.ceil(entries.length / size) }, (_, i) => {
    const group = entries.slice(i * size, (i + 1) * size)
    return {
      entries: group,
      health: order.find((health) => group.some((entry) => entry.health === health)) ?? 'unknown',
    }
  })
}

/** Runs of a check as a row of bars, oldest left; state shows as colour and height, details on hover. */
export function StatusStrip({
  entries,
  label,
  most = 60,
  onPick,
  className,
}: {
  entries: readonly StripEntry[]
  label: string
  most?: number
  onPick?: (entry: StripEntry) => void
  className?: string
}) {
  const bars = squeeze(entries, most)
  const failed = entries.filter((entry) => entry.health === 'unhealthy').length
  return (
    <div
      role={onPick ? 'group' : 'img'}
      aria-label={`${label}: ${plural(entries.length, 'run')}, ${failed} unhealthy`}
      className={cn('flex h-6 items-end gap-px', className)}
    >
      {bars.map((bar, i) => {
        const last = bar.entries.at(-1)!
        const title =
          bar.entries.length > 1
            ? `${formatDate(bar.entries[0]!.time)} – ${formatDate(last.time)}: ${bar.health} (${plural(bar.entries.length, 'run')})`
            : `${formatDate(last.time)}: ${bar.health}${last.text ? ` – ${last.text}` : ''}`
        const bars = <span className={cn('block w-full rounded-xs', looks[bar.health])} />
        const box = 'flex h-full max-w-3 min-w-0.5 flex-1 items-end'
        return onPick ? (
          <button
            key={i}
            type="button"
            title={title}
            aria-label={title}
            onClick={() => onPick(last)}
            className={cn(box, 'hover:opacity-70')}
          >
            {bars}
          </button>
        ) : (
          <span key={i} title={title} className={box}>
            {bars}
          </span>
        )
      })}
    </div>
  )
}
