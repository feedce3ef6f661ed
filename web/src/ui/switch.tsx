import { Switch as Base } from '@base-ui/react/switch'
import type { ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'

export interface SwitchProps {
  checked?: boolean
  defaultChecked?: boolean
  required?: boolean
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

/** An on/off control that acts at once. */
export function Switch({ label, className, onCheckedChange, ...props }: SwitchProps) {
  const track = (
    <Base.Root
      {...props}
      onCheckedChange={(checked) => onCheckedChange?.(checked)}
      className={cn(
        'inline-flex h-4.5 w-8 shrink-0 items-center rounded-full border border-line-strong bg-sunken p-px transition-colors',
        'data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50',
        !label && className,
      )}
    >
      <Base.Thumb className="size-3.5 rounded-full bg-line-strong transition-transform data-checked:translate-x-3.5 data-checked:bg-on-accent" />
    </Base.Root>
  )
  if (!label) return track
  return (
    <label
      className={cn('inline-flex items-center gap-2 text-sm select-none', props.disabled && 'text-subtle', className)}
    >
      {track}
      {label}
    </label>
  )
}
