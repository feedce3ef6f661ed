import { Checkbox as Base } from '@base-ui/react/checkbox'
import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'

export interface CheckboxProps {
  checked?: boolean
  defaultChecked?: boolean
  required?: boolean
  indeterminate?: boolean
  onCheckedChange?: (checked: boolean) => void
  /** Visible text; without it give aria-label. */
  label?: ReactNode
  disabled?: boolean
  name?: string
  id?: string
  className?: string
  'aria-label'?: string
  'aria-describedby'?: string
}

/** A box to tick, with its label to the right. */
export function Checkbox({ label, className, onCheckedChange, ...props }: CheckboxProps) {
  const box = (
    <Base.Root
      {...props}
      onCheckedChange={(checked) => onCheckedChange?.(checked)}
      className={cn(
        'grid size-4 shrink-0 place-items-center rounded-sm border border-line-strong bg-surface text-on-accent',
        'data-checked:border-accent data-checked:bg-accent data-indeterminate:border-accent data-indeterminate:bg-accent',
        'data-disabled:opacity-50',
        !label && className,
      )}
    >
      <Base.Indicator className="grid place-items-center">
        {props.indeterminate ? (
          <Minus size={12} strokeWidth={3} aria-hidden />
        ) : (
          <Check size={12} strokeWidth={3} aria-hidden />
        )}
      </Base.Indicator>
    </Base.Root>
  )
  if (!label) return box
  return (
    <label
      className={cn('inline-flex items-center gap-2 text-sm select-none', props.disabled && 'text-subtle', className)}
    >
      {box}
      {label}
    </label>
  )
}
