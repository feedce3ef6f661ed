import { sortTags } from '@/lib/tags.ts'
import { Tag } from '@/ui/tag-list.tsx'

/**
 * The first tag of a line and how many more there are, all of them on hover. Without a popup of its own per line: a list
 * of thousands scrolls through many of them.
 */
export function FirstTags({
  tags,
  onTagClick,
}: {
  tags: Record<string, unknown> | null | undefined
  onTagClick?: (key: string, value: string) => void
}) {
  const sorted = sortTags(tags)
  const [first] = sorted
  if (!first) return null
  const [key, value] = first
  return (
    <span className="flex min-w-0 items-center gap-1" title={sorted.map((pair) => pair.join(': ')).join('\n')}>
      <Tag name={key} value={value} onClick={onTagClick && (() => onTagClick(key, value))} />
      {sorted.length > 1 && <span className="shrink-0 px-1 text-xs text-muted">+{sorted.length - 1}</span>}
    </span>
  )
}
