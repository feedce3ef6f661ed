import type { CSSProperties } from 'react'
import { cn } from '@/lib/cn.ts'

/** A grey bar that holds the place of text to come; give it the size of what it stands for. */
export function Skeleton({ className, style }: { className?: string; style?: CSSProperties }) {
  return <span aria-hidden style={style} className={cn('block h-3 animate-shimmer rounded-sm bg-pressed', className)} />
}

/** Several lines of placeholder text. */
export function SkeletonLines({ lines = 3, className }: { lines?: number; className?: string }) {
  return (
    <div role="status" aria-label="Loading" className={cn('flex flex-col gap-2.5', className)}>
      {Array.from({ length: lines }, (_, i) => (
        <Skeleton key={i} style={{ width: `${[92, 78, 85, 64][i % 4]}%` }} />
      ))}
    </div>
  )
}
