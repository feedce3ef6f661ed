import { NeedsHost, OutOfSteps } from '../errors.ts'
import type { Run } from '../run.ts'
import type { Value } from '../values/values.ts'

/** What compiled code runs in: the caller's values, the variables of loops, and the budget. */
export interface Frame {
  env: Record<string, unknown>
  locals: Value[]
  run: Run
}

export type Code = (frame: Frame) => Value

/** Which slot of `locals` holds a loop's variable. */
export type Scope = ReadonlyMap<string, number>

/** Errors that end the whole attempt; `&&`, `||` and quantifiers must not swallow them. */
export const ends = (error: unknown): boolean => error instanceof OutOfSteps || error instanceof NeedsHost
