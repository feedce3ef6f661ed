import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { useMemo } from 'react'
import { cn } from '@/lib/cn.ts'
import type { Option } from './option.ts'

export interface SelectProps<V extends string> {
  value: V | null | undefined
  onChange: (value: V) => void
  options: readonly Option<V>[]
  placeholder?: string
  disabled?: boolean
  id?: string
  name?: string
  /** Shown before the value, quieter: "Group by  namespace". */
  prefix?: string
  className?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
}

/** Chooses one of a short list; with more than a dozen options use Combobox. */
export function Select<V extends string>({
  value,
  onChange,
  options,
  placeholder = 'Select…',
  prefix,
  disabled,
  name,
  className,
  ...props
}: SelectProps<V>) {
  const byValue = useMemo(() => new Map(options.map((o) => [o.value, o])), [options])
  return (
    <Base.Root<V>
      value={value ?? null}
      onValueChange={(next) => next !== null && onChange(next)}
      disabled={disabled}
      name={name}
      modal={false}
    >
      <Base.Trigger
        {...props}
        className={cn('control inline-flex h-8 w-full min-w-0 items-center gap-2 px-2.5 text-left', className)}
      >
        {prefix && <span className="shrink-0 text-subtle">{prefix}</span>}
        <Base.Value className="min-w-0 flex-1 truncate data-placeholder:text-subtle">
          {(current: V | null) => {
            const option = current === null ? undefined : byValue.get(current)
            if (!option) return current || placeholder
            return (
              <span className="flex min-w-0 items-center gap-2">
                {option.icon}
                <span className="truncate">{option.label}</span>
              </span>
            )
          }}
        </Base.Value>
        <Base.Icon className="shrink-0 text-subtle">
          <ChevronDown size={15} aria-hidden />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} collisionPadding={8} className="z-60 outline-none">
          <Base.Popup className="popup max-h-[min(24rem,var(--available-height))] max-w-[min(800px,var(--available-width))] min-w-[var(--anchor-width)] overflow-y-auto p-1">
            {options.map((option) => (
              <Base.Item key={option.value} value={option.value} disabled={option.disabled} className="option pr-3">
                <Base.ItemIndicator
                  keepMounted
                  className="w-4 shrink-0 text-accent-text data-[selected]:visible [&:not([data-selected])]:invisible"
                >
                  <Check size={14} aria-hidden />
                </Base.ItemIndicator>
                {option.icon}
                <Base.ItemText className="min-w-0 truncate">{option.label}</Base.ItemText>
                {option.hint && <span className="ml-auto pl-3 text-xs text-subtle">{option.hint}</span>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
