import { Popover as Base } from '@base-ui/react/popover'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cn } from '@/lib/cn.ts'

export interface FilterControlProps {
  label: string
  /** What is chosen, in few words; the control is marked while there is something. */
  summary?: ReactNode
  children: (close: () => void) => ReactNode
  onOpen?: () => void
}

/** One button of the filter bar with its popup. */
export function FilterControl({ label, summary, children, onOpen }: FilterControlProps) {
  const [open, setOpen] = useState(false)
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        if (next) onOpen?.()
      }}
    >
      <Base.Trigger
        aria-label={summary ? undefined : label}
        className={cn(
          'inline-flex h-8 max-w-72 shrink-0 items-center gap-1.5 rounded-md border px-2.5 text-sm whitespace-nowrap select-none hover:bg-hover data-popup-open:bg-hover',
          summary ? 'border-accent/40 bg-accent-soft' : 'border-line bg-surface',
        )}
      >
        <span className={cn('shrink-0', summary ? 'text-muted' : 'text-fg')}>{label}</span>
        {summary && <span className="min-w-0 truncate font-medium">{summary}</span>}
        <ChevronDown size={14} aria-hidden className="shrink-0 text-subtle" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-60 outline-none">
          <Base.Popup
            aria-label={label}
            className="popup w-max max-w-[min(800px,var(--available-width))] min-w-60 overflow-hidden"
          >
            {children(() => setOpen(false))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
