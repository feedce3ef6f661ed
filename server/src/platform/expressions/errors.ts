export type Language = 'cel' | 'gotemplate' | 'jsonpath' | 'javascript'

/** Why an expression gave no value: its text is wrong, its evaluation failed, or it took more than it may. */
export type FailureKind = 'syntax' | 'evaluation' | 'limit'

export interface Failure {
  message: string
  kind: FailureKind
  language: Language
  line?: number
  column?: number
}

/** What callers see: a sentence that names the place, without the values that were computed on the way. */
export class ExpressionError extends Error {
  override name = 'ExpressionError'
  readonly kind: FailureKind
  readonly language: Language
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(failure: Failure) {
    super(failure.message)
    this.kind = failure.kind
    this.language = failure.language
    this.line = failure.line
    this.column = failure.column
  }

  toFailure(): Failure {
    const { message, kind, language, line, column } = this
    return { message, kind, language, line, column }
  }
}

/** Raised by library functions; the interpreter that called them adds the position. */
export class ValueError extends Error {
  override name = 'ValueError'
}

/** The evaluation needs more steps than this place may spend; it may be tried again where more is allowed. */
export class OutOfSteps extends Error {
  override name = 'OutOfSteps'
  constructor(readonly steps: number) {
    super(`The expression needs more than ${steps.toLocaleString('en-US')} steps`)
  }
}

/** The evaluation needs an answer from the server; it is repeated once the answer is there. */
export class NeedsHost extends Error {
  override name = 'NeedsHost'
  constructor(
    readonly call: string,
    readonly args: unknown[],
    readonly key: string,
  ) {
    super(`${call} must be answered by the server`)
  }
}

/** Line and column, both from 1, of an offset in a text. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, Math.max(0, offset))
  const line = before.split('\n').length
  return { line, column: before.length - before.lastIndexOf('\n') }
}
