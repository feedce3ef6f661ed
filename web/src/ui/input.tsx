import { Search, X, type LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'

export interface InputProps extends ComponentProps<'input'> {
  icon?: LucideIcon
  /** A unit or a small control at the right edge. */
  suffix?: ReactNode
}

/** A one-line text field. */
export function Input({ icon: Icon, suffix, className, ...props }: InputProps) {
  if (!Icon && !suffix) return <input {...props} className={cn('control h-8 w-full min-w-0 px-2.5', className)} />
  return (
    <span
      className={cn('control flex h-8 w-full min-w-0 items-center gap-2 px-2.5', className)}
      data-invalid={props['aria-invalid'] ? '' : undefined}
      data-disabled={props.disabled ? '' : undefined}
    >
      {Icon && <Icon size={15} aria-hidden className="shrink-0 text-subtle" />}
      <input {...props} className="h-full w-full min-w-0 bg-transparent outline-none" />
      {suffix}
    </span>
  )
}

/** A search field with a magnifier and a button that empties it. */
export function SearchInput({
  value,
  onValueChange,
  ...props
}: Omit<InputProps, 'onChange' | 'value' | 'icon'> & { value: string; onValueChange: (value: string) => void }) {
  return (
    <Input
      type="text"
      role="searchbox"
      spellCheck={false}
      autoComplete="off"
      {...props}
      icon={Search}
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
      suffix={
        value ? (
          <button
            type="button"
            aria-label="Clear search"
            className="-mr-1 grid size-5 shrink-0 place-items-center rounded-sm text-subtle hover:text-fg"
            onClick={() => onValueChange('')}
          >
            <X size={14} aria-hidden />
          </button>
        ) : (
          props.suffix
        )
      }
    />
  )
}
