import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'

export interface SegmentedProps<V extends string> {
  value: V
  onChange: (value: V) => void
  options: readonly { value: V; label: ReactNode; icon?: LucideIcon; disabled?: boolean }[]
  'aria-label': string
  className?: string
}

/** A switch between a few views: table or cards, table or graph. Arrow keys move, as in a radio group. */
export function Segmented<V extends string>({ value, onChange, options, className, ...props }: SegmentedProps<V>) {
  const move = (by: number) => {
    const enabled = options.filter((o) => !o.disabled)
    const at = enabled.findIndex((o) => o.value === value)
    const next = enabled[(at + by + enabled.length) % enabled.length]
    if (next) onChange(next.value)
  }
  return (
    <div
      role="radiogroup"
      {...props}
      className={cn('inline-flex h-8 shrink-0 items-center gap-0.5 rounded-md bg-sunken p-0.5', className)}
    >
      {options.map(({ value: option, label, icon: Icon, disabled }) => (
        <button
          key={option}
          type="button"
          role="radio"
          aria-checked={option === value}
          tabIndex={option === value ? 0 : -1}
          disabled={disabled}
          ref={(node) => {
            if (node && option === value && node.parentElement?.contains(document.activeElement)) node.focus()
          }}
          onClick={() => onChange(option)}
          onKeyDown={(event) => {
            const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
            if (!by) return
            event.preventDefault()
            move(by)
          }}
          className={cn(
            'inline-flex h-7 items-center gap-1.5 rounded-[5px] px-2.5 text-sm whitespace-nowrap text-muted hover:text-fg disabled:text-subtle disabled:opacity-60',
            option === value &&
              'bg-surface font-medium text-fg shadow-[0_0_0_1px_var(--line),0_1px_2px_rgb(0_0_0/0.06)]',
          )}
        >
          {Icon && <Icon size={14} aria-hidden />}
          {label}
        </button>
      ))}
    </div>
  )
}
