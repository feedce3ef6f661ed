import { type ReactNode, type UIEvent, useEffect, useRef } from 'react'
import { cn } from '@/lib/cn.ts'
import { EmptyState } from './empty-state.tsx'
import { SkeletonLines } from './skeleton.tsx'

/** A list loads its next page when fewer than this many pixels are left below. */
export const loadMoreWithin = 300

/** Whether a scrolled box is close enough to its end to load more. */
export function isNearEnd(box: { scrollTop: number; scrollHeight: number; clientHeight: number }): boolean {
  return box.scrollHeight - box.scrollTop - box.clientHeight <= loadMoreWithin
}

export interface InfiniteListProps<T> {
  items: readonly T[]
  renderItem: (item: T, index: number) => ReactNode
  itemKey: (item: T) => string
  hasMore: boolean
  isLoading: boolean
  loadMore: () => void
  empty?: ReactNode
  className?: string
}

/** A list that fetches its next page as it is scrolled towards the end. */
export function InfiniteList<T>({
  items,
  renderItem,
  itemKey,
  hasMore,
  isLoading,
  loadMore,
  empty,
  className,
}: InfiniteListProps<T>) {
  const box = useRef<HTMLDivElement>(null)
  const check = (target: HTMLElement) => hasMore && !isLoading && isNearEnd(target) && loadMore()
  // A page that does not fill the box gives no scroll event, so the next one is asked for right away.
  useEffect(() => {
    if (box.current && items.length > 0) check(box.current)
  })
  return (
    <div
      ref={box}
      onScroll={(event: UIEvent<HTMLDivElement>) => check(event.currentTarget)}
      className={cn('overflow-y-auto', className)}
    >
      {items.length === 0 && !isLoading && (empty ?? <EmptyState />)}
      <ul>
        {items.map((item, i) => (
          <li key={itemKey(item)}>{renderItem(item, i)}</li>
        ))}
      </ul>
      {isLoading && <SkeletonLines className="p-3" lines={items.length ? 2 : 6} />}
    </div>
  )
}
