import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn.ts'
import { buttonClass, type ButtonVariant } from './button.tsx'
import { Spinner } from './spinner.tsx'
import { Tooltip } from './tooltip.tsx'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon
  /** The accessible name, also shown on hover. */
  label: string
  variant?: ButtonVariant
  size?: 'sm' | 'md'
  loading?: boolean
  /** Off inside menus and popover triggers where a tooltip would cover what opens. */
  tooltip?: boolean
}

/** A square button with one icon; its label is its name and its tooltip. */
export function IconButton({
  icon: Icon,
  label,
  variant = 'ghost',
  size = 'md',
  loading,
  tooltip = true,
  className,
  disabled,
  ...props
}: IconButtonProps) {
  const button = (
    <button
      type="button"
      aria-label={label}
      {...props}
      disabled={disabled || loading}
      className={cn(buttonClass({ variant, size }), size === 'sm' ? 'w-7 px-0' : 'w-8 px-0', className)}
    >
      {loading ? <Spinner size={14} /> : <Icon size={size === 'sm' ? 15 : 16} aria-hidden />}
    </button>
  )
  return tooltip ? <Tooltip content={label}>{button}</Tooltip> : button
}
