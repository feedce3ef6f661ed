import { Menu as Base } from '@base-ui/react/menu'
import { Check, ChevronRight, type LucideIcon } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { cn } from '@/lib/cn.ts'

type Rendered = ReactElement<Record<string, unknown>>

export interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'right' | 'bottom' | 'left'
  className?: string
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

/** A list of actions or links behind a button. */
export function Menu({ trigger, children, align = 'end', side = 'bottom', className, open, onOpenChange }: MenuProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange?.(next)} modal={false}>
      <Base.Trigger render={trigger as Rendered} />
      <Panel align={align} side={side} className={className}>
        {children}
      </Panel>
    </Base.Root>
  )
}

function Panel({ align, side, className, children }: Pick<MenuProps, 'align' | 'side' | 'className' | 'children'>) {
  return (
    <Base.Portal>
      <Base.Positioner align={align} side={side} sideOffset={4} collisionPadding={8} className="z-60 outline-none">
        <Base.Popup
          className={cn(
            'popup max-h-[var(--available-height)] min-w-44 max-w-[min(800px,var(--available-width))] overflow-y-auto p-1',
            className,
          )}
        >
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}

interface ItemProps {
  icon?: LucideIcon
  children: ReactNode
  /** Quiet text at the right: a shortcut or a count. */
  hint?: ReactNode
  disabled?: boolean
  danger?: boolean
  onSelect?: () => void
}

const content = (Icon: LucideIcon | undefined, children: ReactNode, hint: ReactNode) => (
  <>
    {Icon && <Icon size={15} aria-hidden className="shrink-0 text-subtle" />}
    <span className="min-w-0 flex-1 truncate">{children}</span>
    {hint && <span className="pl-4 text-xs text-subtle">{hint}</span>}
  </>
)

/** One action of a menu. */
export function MenuItem({ icon, children, hint, disabled, danger, onSelect }: ItemProps) {
  return (
    <Base.Item
      disabled={disabled}
      onClick={onSelect}
      className={cn('option', danger && 'text-bad-text [&_svg]:text-bad-text')}
    >
      {content(icon, children, hint)}
    </Base.Item>
  )
}

/** A menu line that goes somewhere: pass the link element, e.g. `<Link to="/x" />` or `<a href>`. */
export function MenuLink({ icon, children, hint, link, onSelect }: ItemProps & { link: ReactElement }) {
  return (
    <Base.LinkItem render={link as Rendered} onClick={onSelect} closeOnClick className="option">
      {content(icon, children, hint)}
    </Base.LinkItem>
  )
}

/** A menu line that can be ticked; the menu stays open. */
export function MenuCheckboxItem({
  checked,
  onCheckedChange,
  children,
  disabled,
}: {
  checked: boolean
  onCheckedChange: (checked: boolean) => void
  children: ReactNode
  disabled?: boolean
}) {
  return (
    <Base.CheckboxItem checked={checked} onCheckedChange={onCheckedChange} disabled={disabled} className="option">
      <span className="w-4 shrink-0 text-accent-text">{checked && <Check size={14} aria-hidden />}</span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </Base.CheckboxItem>
  )
}

/** A choice of one inside a menu. */
export function MenuRadioGroup<V extends string>({
  value,
  onChange,
  options,
}: {
  value: V
  onChange: (value: V) => void
  options: readonly { value: V; label: ReactNode; disabled?: boolean }[]
}) {
  return (
    <Base.RadioGroup value={value} onValueChange={onChange}>
      {options.map((option) => (
        <Base.RadioItem
          key={option.value}
          value={option.value}
          disabled={option.disabled}
          closeOnClick
          className="option"
        >
          <span className="w-4 shrink-0 text-accent-text">
            {option.value === value && <Check size={14} aria-hidden />}
          </span>
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

/** A menu inside a menu. */
export function Submenu({ icon, label, children }: { icon?: LucideIcon; label: ReactNode; children: ReactNode }) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className="option data-popup-open:bg-hover">
        {content(icon, label, undefined)}
        <ChevronRight size={14} aria-hidden className="text-subtle" />
      </Base.SubmenuTrigger>
      <Panel side="right" align="start">
        {children}
      </Panel>
    </Base.SubmenuRoot>
  )
}

/** A labelled group of menu lines. */
export function MenuGroup({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-xs font-medium text-subtle">{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  )
}

/** A thin line between groups of menu lines. */
export function MenuSeparator() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />
}
