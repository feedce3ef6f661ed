import type { TriState } from '@quarterdeck/contract/tri-state'
import { MultiSelect } from '@/ui/combobox.tsx'
import { Switch } from '@/ui/switch.tsx'
import { TriStateToggle } from '@/ui/tri-state-toggle.tsx'
import { isBooleanLabel, type LabelChoice } from '../grouping.ts'

interface FilterPanelProps {
  /** Labels of the checks; undefined while they load. */
  choices: readonly LabelChoice[] | undefined
  hidePassing: boolean
  onHidePassing: (hide: boolean) => void
  labels: TriState
  onLabels: (labels: TriState) => void
}

/** What is shown: by health and by label. Every choice acts at once and stands in the address. */
export function FilterPanel({ choices, hidePassing, onHidePassing, labels, onLabels }: FilterPanelProps) {
  return (
    <div className="flex flex-col gap-5">
      <section className="flex flex-col gap-2">
        <h2 className="text-xs font-medium text-muted">Filter by Health</h2>
        <Switch label="Hide Passing" checked={hidePassing} onCheckedChange={onHidePassing} />
      </section>
      <section className="flex flex-col gap-3">
        <h2 className="text-xs font-medium text-muted">Filter by Label</h2>
        {choices?.length === 0 && <p className="text-xs text-subtle">No check has a label.</p>}
        {choices?.map(({ key, values }) =>
          isBooleanLabel(values) ? (
            <div key={key} className="flex items-center justify-between gap-2">
              <span className="truncate text-sm" title={key}>
                {key}
              </span>
              <TriStateToggle
                label={key}
                value={labels[key] ?? 0}
                onChange={(sign) => onLabels(withSign(labels, key, sign))}
              />
            </div>
          ) : (
            <label key={key} className="flex flex-col gap-1">
              <span className="truncate text-sm" title={key}>
                {key}
              </span>
              <MultiSelect
                aria-label={key}
                value={chosenOf(labels, key)}
                options={values.map((value) => ({ value, label: value }))}
                placeholder="Any"
                onChange={(chosen) => onLabels(withValues(labels, key, chosen))}
              />
            </label>
          ),
        )}
      </section>
    </div>
  )
}

const chosenOf = (labels: TriState, key: string): string[] =>
  Object.keys(labels).flatMap((entry) =>
    entry.startsWith(`${key}:`) && labels[entry] === 1 ? [entry.slice(key.length + 1)] : [],
  )

function withValues(labels: TriState, key: string, values: readonly string[]): TriState {
  const rest = Object.entries(labels).filter(([entry]) => !entry.startsWith(`${key}:`))
  return Object.fromEntries([...rest, ...values.map((value) => [`${key}:${value}`, 1] as const)])
}

function withSign(labels: TriState, key: string, sign: -1 | 0 | 1): TriState {
  const rest = Object.entries(labels).filter(([entry]) => entry !== key)
  return Object.fromEntries(sign === 0 ? rest : [...rest, [key, sign] as const])
}
