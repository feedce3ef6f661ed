import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../button.tsx'
import { IconButton } from '../icon-button.tsx'
import { Input } from '../input.tsx'
import { Segmented } from '../segmented.tsx'
import { Textarea } from '../textarea.tsx'
import { FieldFrame, type FieldProps, labelOf, useField } from './field.tsx'

/** Pairs of key and value; `value` is a plain object. */
export function KeyValueField({
  keyLabel = 'Key',
  valueLabel = 'Value',
  ...props
}: FieldProps & { keyLabel?: string; valueLabel?: string }) {
  const field = useField(props)
  return (
    <FieldFrame field={field} props={props} asGroup>
      <PairRows
        value={asMap(field.value)}
        onChange={field.onChange}
        keyLabel={keyLabel}
        valueLabel={valueLabel}
        isReadOnly={props.readOnly || props.disabled}
      />
    </FieldFrame>
  )
}

const asMap = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

type Pair = [key: string, value: string]
const write = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const pairsOf = (value: Record<string, unknown>): Pair[] =>
  Object.entries(value).map(([key, item]) => [key, write(item)])

interface PairRowsProps {
  value: Record<string, unknown>
  onChange: (value: Record<string, string>) => void
  keyLabel: string
  valueLabel: string
  isReadOnly?: boolean
}

/** The rows keep what is typed, also keys that are still empty or double; the map only holds what is complete. */
function PairRows({ value, onChange, keyLabel, valueLabel, isReadOnly }: PairRowsProps) {
  const given = JSON.stringify(value)
  const [state, setState] = useState(() => ({ given, rows: pairsOf(value) }))
  let { rows } = state
  if (given !== state.given) {
    // Somebody else changed the value: a reset, or the JSON view.
    rows = pairsOf(value)
    setState({ given, rows })
  }
  const update = (next: Pair[]) => {
    const map = Object.fromEntries(next.filter(([key]) => key.trim() !== ''))
    setState({ given: JSON.stringify(map), rows: next })
    onChange(map)
  }
  const setAt = (at: number, pair: Pair) => update(rows.map((row, i) => (i === at ? pair : row)))
  return (
    <div className="flex flex-col gap-2">
      {rows.map(([key, item], at) => (
        <div key={at} className="flex items-center gap-2">
          <Input
            aria-label={keyLabel}
            placeholder={keyLabel}
            value={key}
            readOnly={isReadOnly}
            onChange={(event) => setAt(at, [event.target.value, item])}
          />
          <Input
            aria-label={valueLabel}
            placeholder={valueLabel}
            value={item}
            readOnly={isReadOnly}
            onChange={(event) => setAt(at, [key, event.target.value])}
          />
          {!isReadOnly && (
            <IconButton icon={Trash2} label="Remove" onClick={() => update(rows.filter((_, i) => i !== at))} />
          )}
        </div>
      ))}
      {!isReadOnly && (
        <Button
          size="sm"
          icon={Plus}
          className="self-start"
          onClick={() => setState({ given, rows: [...rows, ['', '']] })}
        >
          Add
        </Button>
      )}
    </div>
  )
}

/** Several lines of text, one entry each. */
export function ListField({ itemLabel = 'Entry', ...props }: FieldProps & { itemLabel?: string }) {
  const field = useField(props)
  const items = Array.isArray(field.value) ? field.value.map(String) : []
  const isReadOnly = props.readOnly || props.disabled
  return (
    <FieldFrame field={field} props={props} asGroup>
      <div className="flex flex-col gap-2">
        {items.map((item, at) => (
          <div key={at} className="flex items-center gap-2">
            <Input
              aria-label={`${itemLabel} ${at + 1}`}
              value={item}
              placeholder={props.placeholder}
              readOnly={isReadOnly}
              onChange={(event) => field.onChange(items.map((other, i) => (i === at ? event.target.value : other)))}
            />
            {!isReadOnly && (
              <IconButton
                icon={Trash2}
                label="Remove"
                onClick={() => field.onChange(items.filter((_, i) => i !== at))}
              />
            )}
          </div>
        ))}
        {!isReadOnly && (
          <Button size="sm" icon={Plus} className="self-start" onClick={() => field.onChange([...items, ''])}>
            Add
          </Button>
        )}
      </div>
    </FieldFrame>
  )
}

const notAnObject = 'Labels must be a JSON object'

/** An object of labels, edited as pairs or as JSON. */
export function LabelsField(props: FieldProps) {
  const [mode, setMode] = useState<'pairs' | 'json'>('pairs')
  const field = useField(props, (value) =>
    typeof value === 'object' && !Array.isArray(value) ? undefined : notAnObject,
  )
  const isReadOnly = props.readOnly || props.disabled
  return (
    <FieldFrame
      field={field}
      props={props}
      asGroup
      actions={
        <Segmented
          aria-label="Edit as"
          className="h-6 [&_button]:h-5 [&_button]:text-xs"
          value={mode}
          onChange={setMode}
          options={[
            { value: 'pairs', label: 'Pairs' },
            { value: 'json', label: 'JSON' },
          ]}
        />
      }
    >
      {mode === 'pairs' ? (
        <PairRows
          value={asMap(field.value)}
          onChange={field.onChange}
          keyLabel="Label"
          valueLabel="Value"
          isReadOnly={isReadOnly}
        />
      ) : (
        <JsonText
          value={field.value}
          onChange={field.onChange}
          isReadOnly={isReadOnly}
          label={props.label ?? labelOf(props.name)}
        />
      )}
    </FieldFrame>
  )
}

/** JSON as text; while it is no object the form holds the text itself and refuses it. */
function JsonText({
  value,
  onChange,
  isReadOnly,
  label,
}: {
  value: unknown
  onChange: (value: unknown) => void
  isReadOnly?: boolean
  label: string
}) {
  const [text, setText] = useState(() => (typeof value === 'string' ? value : JSON.stringify(value ?? {}, null, 2)))
  return (
    <Textarea
      aria-label={`${label} as JSON`}
      value={text}
      readOnly={isReadOnly}
      spellCheck={false}
      className="font-mono text-xs"
      onChange={(event) => {
        setText(event.target.value)
        onChange(readObject(event.target.value))
      }}
    />
  )
}

/** The object a text holds; the text itself when it holds none, so that the form can refuse it. Empty is an empty object. */
export function readObject(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : text
  } catch {
    return text
  }
}
