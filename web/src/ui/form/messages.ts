import type { RegisterOptions } from 'react-hook-form'

export const requiredMessage = 'This field is required'
export const numberMessage = 'This field must be a number'

/** What a field accepts, as its declaration says it. */
export interface Limits {
  required?: boolean
  min?: number
  max?: number
  minLength?: number
  maxLength?: number
  pattern?: RegExp
  /** Said when the pattern does not match. */
  patternMessage?: string
  /** Any other rule: a text is what is wrong, true or undefined is fine. */
  validate?: (value: unknown) => string | true | undefined
}

/** Whether a value counts as not given: nothing, blank text, an empty list or map. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return true
  if (typeof value === 'string') return value.trim() === ''
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** The rules of a field for the form library, in the words of the product. */
export function rulesOf(limits: Limits, check?: (value: unknown) => string | undefined): RegisterOptions {
  return {
    validate: (value: unknown) => {
      if (isEmpty(value)) return limits.required ? requiredMessage : true
      const problem = check?.(value) ?? lengthProblem(value, limits) ?? sizeProblem(value, limits)
      if (problem) return problem
      if (limits.pattern && typeof value === 'string' && !limits.pattern.test(value))
        return limits.patternMessage ?? 'This value has the wrong form'
      return limits.validate?.(value) ?? true
    },
  }
}

function lengthProblem(value: unknown, { minLength, maxLength }: Limits) {
  if (typeof value !== 'string') return undefined
  if (minLength !== undefined && value.length < minLength) return `Enter at least ${minLength} characters`
  return maxLength !== undefined && value.length > maxLength ? `Enter at most ${maxLength} characters` : undefined
}

function sizeProblem(value: unknown, { min, max }: Limits) {
  if (typeof value !== 'number') return undefined
  if (min !== undefined && value < min) return `Must be at least ${min}`
  return max !== undefined && value > max ? `Must be at most ${max}` : undefined
}
