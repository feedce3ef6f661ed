/** Quantities written as a number with a unit, the way Kubernetes does. */

export const memoryUnits = ['Mi', 'Gi', 'Ti'] as const
export type MemoryUnit = (typeof memoryUnits)[number]

export interface Quantity<U extends string> {
  /** Empty while nothing is typed. */
  amount: string
  unit: U
}

/** 512Mi → 512 and Mi; a number alone gets Mi. Other text stays the amount, so that it can be corrected. */
export function parseMemory(value: unknown): Quantity<MemoryUnit> {
  const text = value === undefined || value === null ? '' : String(value).trim()
  const match = /^([\d.]*)\s*(Mi|Gi|Ti)?$/.exec(text)
  return match
    ? { amount: match[1] ?? '', unit: (match[2] as MemoryUnit | undefined) ?? 'Mi' }
    : { amount: text, unit: 'Mi' }
}

export function formatMemory({ amount, unit }: Quantity<MemoryUnit>): string {
  return amount.trim() === '' ? '' : `${amount.trim()}${unit}`
}

/** 250m → 250. */
export function parseCpu(value: unknown): string {
  return value === undefined || value === null ? '' : String(value).trim().replace(/m$/, '')
}

export function formatCpu(amount: string): string {
  return amount.trim() === '' ? '' : `${amount.trim()}m`
}

const steps: Record<MemoryUnit, number> = { Mi: 1024 ** 2, Gi: 1024 ** 3, Ti: 1024 ** 4 }

/** Bytes of a memory quantity; undefined when it is none. */
export function memoryBytes(value: unknown): number | undefined {
  const { amount, unit } = parseMemory(value)
  const number = Number(amount)
  return amount === '' || !Number.isFinite(number) ? undefined : number * steps[unit]
}
