import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn.ts'
import { Spinner } from './spinner.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'sm' | 'md'

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border-line bg-surface text-fg hover:bg-hover data-popup-open:bg-hover',
  ghost: 'border-transparent text-muted hover:bg-hover hover:text-fg data-popup-open:bg-hover data-popup-open:text-fg',
  danger: 'border-transparent bg-bad-strong text-white hover:bg-bad-hover',
}
const sizes: Record<ButtonSize, string> = { sm: 'h-7 gap-1 px-2 text-xs', md: 'h-8 gap-1.5 px-3 text-sm' }

/** The classes of a button, for links and triggers that should look like one. */
export function buttonClass({
  variant = 'secondary',
  size = 'md',
}: { variant?: ButtonVariant; size?: ButtonSize } = {}) {
  return cn(
    'inline-flex shrink-0 items-center justify-center rounded-md border font-medium whitespace-nowrap select-none',
    'transition-colors duration-75 disabled:pointer-events-none disabled:opacity-55 aria-disabled:opacity-55',
    variants[variant],
    sizes[size],
  )
}

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: LucideIcon
  /** Shows a spinner in the icon's place and blocks further clicks; the width stays. */
  loading?: boolean
}

/** A button whose words say what happens. */
export function Button({ variant, size, icon: Icon, loading, className, children, disabled, ...props }: ButtonProps) {
  const mark = loading ? (
    <Spinner size={14} />
  ) : (
    Icon && <Icon size={size === 'sm' ? 14 : 15} aria-hidden className="-ml-0.5" />
  )
  return (
    <button
      type="button"
      {...props}
      disabled={disabled || loading}
      aria-busy={loading || undefined}
      className={cn(buttonClass({ variant, size }), className)}
    >
      {mark}
      {children}
    </button>
  )
}
