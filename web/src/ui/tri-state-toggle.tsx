import { Check, Minus, X } from 'lucide-react'
import { cn } from '@/lib/cn.ts'

export type TriStateValue = -1 | 0 | 1

const states = [
  { value: -1, icon: X, word: 'Exclude', on: 'bg-bad-soft text-bad-text' },
  { value: 0, icon: Minus, word: 'No filter', on: 'bg-pressed text-fg' },
  { value: 1, icon: Check, word: 'Include', on: 'bg-accent-soft text-accent-text' },
] as const

/** Exclude, none or include; clicking the active state goes back to none. */
export function TriStateToggle({
  value,
  onChange,
  label,
}: {
  value: TriStateValue
  onChange: (value: TriStateValue) => void
  label: string
}) {
  return (
    <div role="group" aria-label={label} className="inline-flex h-6 shrink-0 items-center rounded-md bg-sunken p-0.5">
      {states.map(({ value: state, icon: Icon, word, on }) => (
        <button
          key={state}
          type="button"
          title={word}
          aria-label={`${word}: ${label}`}
          aria-pressed={state === value}
          onClick={() => onChange(state === value ? 0 : state)}
          className={cn('grid h-5 w-6 place-items-center rounded-sm text-subtle hover:text-fg', state === value && on)}
        >
          <Icon size={13} aria-hidden />
        </button>
      ))}
    </div>
  )
}
