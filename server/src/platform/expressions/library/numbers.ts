import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import type { Value } from '../values/values.ts'
import { isWhole, number } from './args.ts'

/** A number that remembers being a fraction, so that CEL can keep 2.0 apart from 2. */
export interface Computed {
  value: number
  whole: boolean
}

const computed = (value: number, whole: boolean): Computed => ({ value, whole: whole && Number.isSafeInteger(value) })
const allWhole = (values: Value[]) => values.every(isWhole)

export const abs = (value: Value): Computed => computed(Math.abs(number(value)), isWhole(value))
export const add = (values: Value[]): Computed =>
  computed(
    values.reduce((sum: number, item) => sum + number(item), 0),
    allWhole(values),
  )
export const multiply = (values: Value[]): Computed =>
  computed(
    values.reduce((product: number, item) => product * number(item), 1),
    allWhole(values),
  )
export const subtract = (left: Value, right: Value): Computed =>
  computed(number(left) - number(right), allWhole([left, right]))

export function divide(left: Value, right: Value): Computed {
  if (number(right) === 0) throw new ValueError('division by zero')
  return computed(number(left) / number(right), false)
}

export function remainder(left: Value, right: Value): Computed {
  const divisor = Math.trunc(number(right))
  if (divisor === 0) throw new ValueError('division by zero')
  return computed(Math.trunc(number(left)) % divisor, true)
}

export const power = (base: Value, exponent: Value): Computed =>
  computed(number(base) ** number(exponent), allWhole([base, exponent]) && number(exponent) >= 0)
export const ceil = (value: Value): Computed => computed(Math.ceil(number(value)), false)
export const floor = (value: Value): Computed => computed(Math.floor(number(value)), false)
/** Half away from zero. */
export const round = (value: Value): Computed => {
  const given = number(value)
  return computed(Math.sign(given) * Math.round(Math.abs(given)), false)
}
export const greatest = (values: Value[]): Computed => computed(Math.max(...values.map(number)), allWhole(values))
export const smallest = (values: Value[]): Computed => computed(Math.min(...values.map(number)), allWhole(values))

const parses = (value: Value) => {
  try {
    return !Number.isNaN(number(value)) && typeof value !== 'boolean'
  } catch {
    return false
  }
}
export const isInt = (value: Value): boolean => isWhole(value)
export const isFloat = (value: Value): boolean =>
  parses(value) && (!isWhole(value) || (typeof value === 'string' && value.includes('.')))
export const isNum = (value: Value): boolean => parses(value)

/** One argument: 1 to end; two: start to end; three: with a step. Downwards when the end is smaller. */
export function seq(run: Run, args: Value[]): number[] {
  const [first = 1, second, third] = args.map((item) => Math.trunc(number(item)))
  const [start, end] = second === undefined ? [1, first] : [first, second]
  const size = Math.abs(third ?? 1)
  if (third === 0) return []
  const count = Math.floor(Math.abs(end - start) / size) + 1
  run.spend(count)
  const step = end < start ? -size : size
  return Array.from({ length: count }, (_, index) => start + index * step)
}
