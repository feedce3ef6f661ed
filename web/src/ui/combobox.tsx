import { Popover as Base } from '@base-ui/react/popover'
import { ChevronDown, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { cn } from '@/lib/cn.ts'
import type { Option } from './option.ts'
import { OptionList } from './option-list.tsx'

interface ChooserProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** What the closed control shows. */
  children: ReactNode
  list: ReactNode
  onClear?: () => void
  disabled?: boolean
  id?: string
  className?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-invalid'?: boolean
  'aria-describedby'?: string
  'aria-required'?: boolean
}

/** The closed control and the popup of every searchable choice. */
export function Chooser({
  open,
  onOpenChange,
  children,
  list,
  onClear,
  disabled,
  className,
  // A button that opens a list cannot be marked as required; its label says so.
  'aria-required': _required,
  ...props
}: ChooserProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <span className={cn('relative flex w-full min-w-0', className)}>
        <Base.Trigger
          {...props}
          disabled={disabled}
          className={cn(
            'control flex min-h-8 w-full min-w-0 items-center gap-2 px-2.5 py-0.5 text-left',
            onClear && 'pr-14',
          )}
        >
          <span className="flex min-w-0 flex-1 items-center">{children}</span>
          <ChevronDown size={15} aria-hidden className="absolute right-2.5 shrink-0 text-subtle" />
        </Base.Trigger>
        {onClear && !disabled && (
          <button
            type="button"
            aria-label="Clear"
            onClick={onClear}
            className="absolute top-1/2 right-8 grid size-5 -translate-y-1/2 place-items-center rounded-sm text-subtle hover:text-fg"
          >
            <X size={14} aria-hidden />
          </button>
        )}
      </span>
      <Base.Portal>
        <Base.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-60 outline-none">
          <Base.Popup
            aria-label={props['aria-label']}
            className="popup w-max max-w-[min(800px,var(--available-width))] min-w-[max(14rem,var(--anchor-width))] overflow-hidden"
          >
            {list}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type ControlProps = Pick<
  ChooserProps,
  'disabled' | 'id' | 'className' | 'aria-label' | 'aria-labelledby' | 'aria-invalid' | 'aria-describedby'
>

/** Options that come from a search of the caller instead of a fixed list. */
export interface RemoteOptions {
  query?: string
  onQueryChange?: (query: string) => void
  isLoading?: boolean
  /** The popup opens: the moment to fetch the options. */
  onOpen?: () => void
}

export interface ComboboxProps<V extends string> extends ControlProps, RemoteOptions {
  value: V | null | undefined
  onChange: (value: V | undefined) => void
  options: readonly Option<V>[] | undefined
  /** The chosen option when it may be missing from `options`, e.g. outside the current search. */
  selected?: Option<V>
  placeholder?: string
  clearable?: boolean
  /** Allows values that are not in the list. */
  creatable?: boolean
}

/** Chooses one of many by typing a part of its name. */
export function Combobox<V extends string>({
  value,
  onChange,
  options,
  selected,
  placeholder = 'Select…',
  clearable,
  creatable,
  query,
  onQueryChange,
  isLoading,
  onOpen,
  ...props
}: ComboboxProps<V>) {
  const [open, setOpen] = useState(false)
  const current = options?.find((o) => o.value === value) ?? (selected?.value === value ? selected : undefined)
  const pick = (next: V) => {
    onChange(next)
    setOpen(false)
  }
  return (
    <Chooser
      {...props}
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        if (next) onOpen?.()
      }}
      onClear={clearable && value ? () => onChange(undefined) : undefined}
      list={
        <OptionList
          label={props['aria-label'] ?? 'options'}
          mode="one"
          options={options}
          query={query}
          onQueryChange={onQueryChange}
          isLoading={isLoading}
          stateOf={(option) => (option === value ? 1 : 0)}
          onPick={pick}
          onCreate={creatable ? (text) => pick(text as V) : undefined}
        />
      }
    >
      {value ? (
        <span className="flex min-w-0 items-center gap-2">
          {current?.icon}
          <span className="truncate">{current?.label ?? value}</span>
        </span>
      ) : (
        <span className="truncate text-subtle">{placeholder}</span>
      )}
    </Chooser>
  )
}

export interface MultiSelectProps extends ControlProps, RemoteOptions {
  value: readonly string[]
  onChange: (value: string[]) => void
  options: readonly Option[] | undefined
  placeholder?: string
  creatable?: boolean
}

/** Chooses several; the chosen ones stand in the control and can be removed there. */
export function MultiSelect({
  value,
  onChange,
  options,
  placeholder = 'Select…',
  creatable,
  query,
  onQueryChange,
  isLoading,
  onOpen,
  ...props
}: MultiSelectProps) {
  const [open, setOpen] = useState(false)
  const labels = new Map(options?.map((o) => [o.value, o.label]))
  const toggle = (item: string) => onChange(value.includes(item) ? value.filter((v) => v !== item) : [...value, item])
  return (
    <Chooser
      {...props}
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        if (next) onOpen?.()
      }}
      onClear={value.length > 0 ? () => onChange([]) : undefined}
      list={
        <OptionList
          label={props['aria-label'] ?? 'options'}
          mode="many"
          options={withMissing(options, value)}
          query={query}
          onQueryChange={onQueryChange}
          isLoading={isLoading}
          stateOf={(item) => (value.includes(item) ? 1 : 0)}
          onPick={toggle}
          onCreate={creatable ? toggle : undefined}
        />
      }
    >
      {value.length === 0 ? (
        <span className="truncate text-subtle">{placeholder}</span>
      ) : (
        <span className="flex min-w-0 flex-wrap gap-1 py-1">
          {value.map((item) => (
            <span
              key={item}
              title={item}
              className="inline-flex h-5 max-w-48 items-center truncate rounded-sm bg-chip px-1.5 text-xs"
            >
              {labels.get(item) ?? item}
            </span>
          ))}
        </span>
      )}
    </Chooser>
  )
}

/** Chosen values that the list does not know still have to be shown, so that they can be taken back. */
function withMissing(options: readonly Option[] | undefined, value: readonly string[]) {
  if (!options) return options
  const known = new Set(options.map((o) => o.value))
  return [...value.filter((v) => !known.has(v)).map((v) => ({ value: v, label: v })), ...options]
}
