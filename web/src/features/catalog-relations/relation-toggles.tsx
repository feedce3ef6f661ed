import { ArrowDownRight, ArrowUpLeft, type LucideIcon, Spline } from 'lucide-react'
import { cn } from '@/lib/cn.ts'
import { type RelationFilters, toggled } from './relations.filters.ts'

type Toggles = Pick<RelationFilters, 'outgoing' | 'incoming' | 'soft'>

/** Which relationships are followed: what the item points to, what points to it, and loose ones besides firm ones. */
export function RelationToggles({ value, onChange }: { value: Toggles; onChange: (change: Partial<Toggles>) => void }) {
  const { soft } = value
  // An address may switch both off; the server then goes out, and so it is shown.
  const shown = value.outgoing || value.incoming ? value : { ...value, outgoing: true }
  return (
    <div role="group" aria-label="Directions" className="inline-flex h-8 shrink-0 items-center gap-1">
      <Toggle
        label="Outgoing"
        icon={ArrowDownRight}
        isOn={shown.outgoing}
        onClick={() => onChange(toggled(shown, 'outgoing'))}
      />
      <Toggle
        label="Incoming"
        icon={ArrowUpLeft}
        isOn={shown.incoming}
        onClick={() => onChange(toggled(shown, 'incoming'))}
      />
      <Toggle label="Soft" icon={Spline} isOn={soft} onClick={() => onChange({ soft: !soft })} />
    </div>
  )
}

function Toggle({
  label,
  icon: Icon,
  isOn,
  onClick,
}: {
  label: string
  icon: LucideIcon
  isOn: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={cn(
        'inline-flex h-8 items-center gap-1.5 rounded-md border px-2.5 text-sm whitespace-nowrap select-none hover:bg-hover',
        isOn ? 'border-accent/40 bg-accent-soft font-medium' : 'border-line bg-surface text-muted',
      )}
    >
      <Icon size={14} aria-hidden />
      {label}
    </button>
  )
}
