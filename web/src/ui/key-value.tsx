import { Fragment, type ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'

export type KeyValueItem = readonly [label: ReactNode, value: ReactNode] | false | null | undefined

/** Facts as two columns: quiet labels, plain values. Items that are false or null are left out. */
export function KeyValueList({ items, className }: { items: readonly KeyValueItem[]; className?: string }) {
  return (
    <dl className={cn('grid grid-cols-[minmax(6rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm', className)}>
      {items.map(
        (item, i) =>
          item && (
            <Fragment key={i}>
              <dt className="text-subtle">{item[0]}</dt>
              <dd className="min-w-0 break-words">{item[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}
