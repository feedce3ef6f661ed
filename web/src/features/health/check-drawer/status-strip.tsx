import { cn } from '@/lib/cn.ts'
import type { CheckGraph } from './check.queries.ts'

type Point = NonNullable<CheckGraph['status']>[number]

/** One thin bar per window: colour and position say pass or fail, hovering says when and how long. */
export function StatusStrip({ points }: { points: readonly Point[] }) {
  if (points.length === 0) return <p className="py-6 text-center text-sm text-muted">Nothing ran in this time.</p>
  const failed = points.filter((point) => !point.status).length
  return (
    <div
      role="img"
      aria-label={`${points.length} windows, ${failed} with failures`}
      className="flex h-10 items-end gap-px overflow-hidden"
    >
      {points.map((point) => (
        <span
          key={point.time}
          title={`${new Date(point.time).toLocaleString()}: ${point.status ? 'passed' : 'failed'}, ${Math.round(point.duration ?? 0)} ms`}
          className={cn('min-w-px flex-1', point.status ? 'h-6 bg-ok' : 'h-full bg-bad')}
        />
      ))}
    </div>
  )
}
