import { Columns2, Rows2 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { cn } from '@/lib/cn.ts'
import { useStored } from '@/lib/storage.ts'
import { EmptyState } from '../empty-state.tsx'
import { Segmented } from '../segmented.tsx'
import { SkeletonLines } from '../skeleton.tsx'

const Diff = lazy(async () => ({ default: (await import('./diff.tsx')).Diff }))

export interface DiffViewProps {
  before: string
  after: string
  language?: 'yaml' | 'json' | 'text'
  /** Folds what did not change. */
  collapse?: boolean
  label?: string
  /** Numbers of the lines where the texts are only parts of longer ones; nothing for a line that stands for a gap. */
  lineNumbers?: { before: readonly (number | undefined)[]; after: readonly (number | undefined)[] }
  className?: string
}

const layouts = [
  { value: 'unified', label: 'Unified', icon: Rows2 },
  { value: 'split', label: 'Side by side', icon: Columns2 },
] as const

/** What changed between two versions, in one column or side by side; the choice is remembered. */
export function DiffView({ className, ...props }: DiffViewProps) {
  const [layout, setLayout] = useStored<'unified' | 'split'>('quarterdeck.diff.layout', 'unified')
  return (
    <div data-code className={cn('flex h-full min-h-0 flex-col gap-2', className)}>
      <Segmented aria-label="Layout" value={layout} onChange={setLayout} options={layouts} className="self-end" />
      <div className="min-h-0 flex-1 overflow-hidden rounded-md border border-line bg-surface">
        {props.before === props.after ? (
          <EmptyState title="No differences" />
        ) : (
          <Suspense fallback={<SkeletonLines className="p-4" lines={8} />}>
            <Diff {...props} layout={layout} />
          </Suspense>
        )}
      </div>
    </div>
  )
}
