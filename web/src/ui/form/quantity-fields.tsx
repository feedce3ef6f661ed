import { parseDuration, scheduleProblem } from '@quarterdeck/contract/schedule'
import { Combobox } from '../combobox.tsx'
import { Input } from '../input.tsx'
import { toOptions } from '../option.ts'
import { Select } from '../select.tsx'
import { FieldFrame, type FieldProps, useField } from './field.tsx'
import { numberMessage } from './messages.ts'
import { type ScheduleList, schedules } from './schedules.ts'
import { formatCpu, formatMemory, memoryBytes, memoryUnits, parseCpu, parseMemory } from './units.ts'

const units = toOptions(memoryUnits)
const isNumber = (amount: string) => amount !== '' && Number.isFinite(Number(amount))

/** Memory as 512Mi; limits are in bytes. */
export function MemoryField({ min, max, ...props }: FieldProps) {
  const { attach, ...field } = useField(props, (value) => {
    if (!isNumber(parseMemory(value).amount)) return numberMessage
    const bytes = memoryBytes(value) ?? 0
    if (min !== undefined && bytes < min) return `Must be at least ${min} bytes`
    return max !== undefined && bytes > max ? `Must be at most ${max} bytes` : undefined
  })
  const { amount, unit } = parseMemory(field.value)
  return (
    <FieldFrame field={field} props={props}>
      <div className="flex gap-2">
        <Input
          {...field.aria}
          ref={attach}
          inputMode="decimal"
          value={amount}
          onChange={(event) => field.onChange(formatMemory({ amount: event.target.value, unit }))}
          onBlur={field.onBlur}
          placeholder={props.placeholder}
          disabled={props.disabled}
          readOnly={props.readOnly}
        />
        <Select
          aria-label="Unit"
          className="w-20 shrink-0"
          value={unit}
          onChange={(next) => field.onChange(formatMemory({ amount, unit: next }))}
          options={units}
          disabled={props.disabled || props.readOnly}
        />
      </div>
    </FieldFrame>
  )
}

/** CPU in millicores as 250m. */
export function CpuField({ min, max, ...props }: FieldProps) {
  const { attach, ...field } = useField(props, (value) => {
    const amount = parseCpu(value)
    if (!isNumber(amount)) return numberMessage
    if (min !== undefined && Number(amount) < min) return `Must be at least ${min}m`
    return max !== undefined && Number(amount) > max ? `Must be at most ${max}m` : undefined
  })
  return (
    <FieldFrame field={field} props={props}>
      <Input
        {...field.aria}
        ref={attach}
        inputMode="numeric"
        value={parseCpu(field.value)}
        onChange={(event) => field.onChange(formatCpu(event.target.value))}
        onBlur={field.onBlur}
        placeholder={props.placeholder}
        disabled={props.disabled}
        readOnly={props.readOnly}
        suffix={<span className="text-xs text-subtle">m</span>}
      />
    </FieldFrame>
  )
}

/** A span of time such as 30s or 1h30m. */
export function DurationField(props: FieldProps) {
  const { attach, ...field } = useField(props, (value) =>
    parseDuration(String(value)) === undefined ? 'Enter a duration such as 30s, 5m or 1h30m' : undefined,
  )
  return (
    <FieldFrame field={field} props={props}>
      <Input
        {...field.aria}
        ref={attach}
        value={String(field.value ?? '')}
        onChange={(event) => field.onChange(event.target.value)}
        onBlur={field.onBlur}
        placeholder={props.placeholder ?? '30s'}
        disabled={props.disabled}
        readOnly={props.readOnly}
        autoComplete="off"
      />
    </FieldFrame>
  )
}

/** When something runs: one of a list, or any cron expression or @every span typed in. */
export function ScheduleField({ list = 'default', ...props }: FieldProps & { list?: ScheduleList }) {
  const field = useField(props, (value) => scheduleProblem(String(value)))
  return (
    <FieldFrame field={field} props={props}>
      <Combobox
        {...field.aria}
        aria-labelledby={`${field.labelId} ${field.aria.id}`}
        value={String(field.value ?? '')}
        onChange={field.onChange}
        options={schedules[list]}
        creatable
        clearable={!props.required}
        placeholder={props.placeholder ?? 'Choose or type a schedule'}
        disabled={props.disabled || props.readOnly}
      />
    </FieldFrame>
  )
}
