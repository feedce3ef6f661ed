import { ChevronRight } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'

/** The way to this page; pass links and, last, the plain name of the page. */
export function Breadcrumbs({ items }: { items: readonly ReactNode[] }) {
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-1 text-sm text-muted [&_a]:rounded-sm [&_a:hover]:text-fg">
        {items.map((item, i) => (
          <Fragment key={i}>
            {i > 0 && (
              <li aria-hidden className="shrink-0">
                <ChevronRight size={14} className="text-subtle" />
              </li>
            )}
            <li
              aria-current={i === items.length - 1 ? 'page' : undefined}
              className={
                i === items.length - 1
                  ? 'min-w-0 truncate font-medium text-fg'
                  : 'min-w-0 shrink truncate whitespace-nowrap'
              }
            >
              {item}
            </li>
          </Fragment>
        ))}
      </ol>
    </nav>
  )
}
