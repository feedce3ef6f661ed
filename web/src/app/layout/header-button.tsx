import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn.ts'
import { buttonClass } from '@/ui/button.tsx'
import { Hint } from './hint.tsx'

interface Props extends Omit<ComponentProps<'button'>, 'children'> {
  icon: LucideIcon
  label: string
  /** Off for buttons that open a menu, which a tooltip would cover. */
  hint?: boolean
}

/** A square button of the header. The kit's icon button would bring its tooltips into the first load. */
export function HeaderButton({ icon: Icon, label, hint = true, className, ...props }: Props) {
  return (
    <Hint content={hint ? label : undefined} side="bottom">
      <button
        type="button"
        aria-label={label}
        {...props}
        className={cn(buttonClass({ variant: 'ghost' }), 'w-8 px-0', className)}
      >
        <Icon size={16} aria-hidden />
      </button>
    </Hint>
  )
}
