import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { cn } from '@/lib/cn.ts'

const most = 200

/** A JSON value as a tree that opens and closes; large lists show their first 200 entries and offer the rest. */
export function JsonView({
  value,
  openDepth = 2,
  className,
}: {
  value: unknown
  openDepth?: number
  className?: string
}) {
  return (
    <div className={cn('overflow-x-auto font-mono text-xs leading-5', className)}>
      <Node value={value} depth={0} openDepth={openDepth} />
    </div>
  )
}

function Node({ name, value, depth, openDepth }: { name?: string; value: unknown; depth: number; openDepth: number }) {
  const [open, setOpen] = useState(depth < openDepth)
  const [limit, setLimit] = useState(most)
  const label = name !== undefined && <span className="text-accent-text">{name}: </span>
  if (typeof value !== 'object' || value === null)
    return (
      <div className="pl-4 break-all whitespace-pre-wrap">
        {label}
        <Leaf value={value} />
      </div>
    )
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  if (entries.length === 0)
    return (
      <div className="pl-4">
        {label}
        <span className="text-subtle">{isList ? '[]' : '{}'}</span>
      </div>
    )
  return (
    <div>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex w-full items-start rounded-sm text-left hover:bg-hover"
      >
        <ChevronRight
          size={12}
          aria-hidden
          className={cn('mt-1 mr-1 shrink-0 text-subtle transition-transform', open && 'rotate-90')}
        />
        <span className="min-w-0">
          {label}
          <span className="text-subtle">{isList ? `[${entries.length}]` : `{${entries.length}}`}</span>
        </span>
      </button>
      {open && (
        <div className="ml-1.5 border-l border-line pl-2">
          {entries.slice(0, limit).map(([key, item]) => (
            <Node key={key} name={key} value={item} depth={depth + 1} openDepth={openDepth} />
          ))}
          {entries.length > limit && (
            <button
              type="button"
              onClick={() => setLimit(limit + most)}
              className="ml-4 rounded-sm text-accent-text hover:underline"
            >
              Show {Math.min(most, entries.length - limit)} more of {entries.length}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

function Leaf({ value }: { value: unknown }) {
  if (typeof value === 'string') return <span className="text-ok-text">{JSON.stringify(value)}</span>
  if (value === null || value === undefined) return <span className="text-subtle">null</span>
  return <span className="text-warn-text">{String(value)}</span>
}
