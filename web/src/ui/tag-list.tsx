import { cn } from '@/lib/cn.ts'
import { sortTags } from '@/lib/tags.ts'
import { Popover } from './popover.tsx'

export interface TagProps {
  name: string
  value: string
  onClick?: () => void
}

/** One label: key quiet, value plain; clickable when it filters. */
export function Tag({ name, value, onClick }: TagProps) {
  const text = value === '' ? name : `${name}: ${value}`
  const content = (
    <>
      <span className="shrink-0 text-subtle">{name}</span>
      {value !== '' && <span className="truncate">{value}</span>}
    </>
  )
  const box = 'inline-flex h-5 max-w-64 min-w-0 items-center gap-1 rounded-sm bg-chip px-1.5 text-xs'
  if (!onClick)
    return (
      <span title={text} className={box}>
        {content}
      </span>
    )
  return (
    <button type="button" title={text} onClick={onClick} className={cn(box, 'hover:bg-pressed')}>
      {content}
    </button>
  )
}

export interface TagListProps {
  tags: Record<string, unknown> | null | undefined
  /** How many are shown before "+N more". */
  max?: number
  onTagClick?: (key: string, value: string) => void
  wrap?: boolean
  className?: string
}

/** Labels in their fixed order: account, namespace and name first, then the alphabet. */
export function TagList({ tags, max = 3, onTagClick, wrap = false, className }: TagListProps) {
  const sorted = sortTags(tags)
  const shown = sorted.slice(0, max)
  const rest = sorted.slice(max)
  const tag = ([key, value]: [string, string]) => (
    <Tag key={key} name={key} value={value} onClick={onTagClick && (() => onTagClick(key, value))} />
  )
  if (sorted.length === 0) return null
  return (
    <span className={cn('flex min-w-0 items-center gap-1', wrap && 'flex-wrap', className)}>
      {shown.map(tag)}
      {rest.length > 0 && (
        <Popover
          trigger={
            <button
              type="button"
              className="shrink-0 rounded-sm px-1 text-xs whitespace-nowrap text-muted hover:bg-hover hover:text-fg"
            >
              +{rest.length} more
            </button>
          }
        >
          <div className="flex max-w-md flex-wrap gap-1">{rest.map(tag)}</div>
        </Popover>
      )}
    </span>
  )
}
