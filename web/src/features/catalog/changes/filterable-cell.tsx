import type { Sign } from '@quarterdeck/contract/tri-state'
import { ListFilter, ListX } from 'lucide-react'
import type { ReactNode } from 'react'

/** A cell that offers to keep or leave out rows with its value, when it is pointed at. */
export function FilterableCell({
  text,
  onFilter,
  children,
}: {
  /** The value in words, for the names of the buttons. */
  text: string
  onFilter: (sign: Sign) => void
  children: ReactNode
}) {
  const button = (sign: Sign) => {
    const [word, Icon] = sign === 1 ? (['Include', ListFilter] as const) : (['Exclude', ListX] as const)
    return (
      <button
        type="button"
        // For pointers: with a stop for every value of a page the keyboard would get nowhere.
        tabIndex={-1}
        aria-label={`${word} ${text}`}
        title={`${word} ${text}`}
        onClick={() => onFilter(sign)}
        className="grid size-6 place-items-center rounded-sm text-muted hover:bg-pressed hover:text-fg"
      >
        <Icon size={14} aria-hidden />
      </button>
    )
  }
  return (
    <span className="group/cell relative flex h-full min-w-0 items-center">
      <span className="min-w-0 truncate">{children}</span>
      <span className="absolute inset-y-0 right-0 flex items-center gap-px rounded-sm bg-raised px-0.5 opacity-0 shadow-[0_0_0_1px_var(--line)] group-hover/cell:opacity-100">
        {button(1)}
        {button(-1)}
      </span>
    </span>
  )
}
