import { Duration, humanDuration as spelled } from '../values/duration.ts'
import type { Value } from '../values/values.ts'
import { duration, number } from './args.ts'

export const humanDuration = (value: Value): string => spelled(value instanceof Duration ? value : duration(value))

const steps = ['', 'K', 'M', 'G', 'T', 'P', 'E']

/** Bytes by steps of 1024 with one decimal: 123456 is 120.6K. */
export function humanSize(value: Value): string {
  let size = number(value)
  const sign = size < 0 ? '-' : ''
  size = Math.abs(size)
  let step = 0
  while (size >= 1024 && step < steps.length - 1) {
    size /= 1024
    step++
  }
  return `${sign}${size.toFixed(1).replace(/\.0$/, '')}${steps[step]}`
}
