import { ApiError, unknownFailure } from '@/api/errors.ts'

export interface TestResult {
  isGood: boolean
  text: string
}

const failed = 'Testing connection failed!'

/** What the dialog says about an answer of the test. */
export function goodOrNot(answer: { message?: string; error?: string } | null): TestResult {
  if (answer?.message === 'ok') return { isGood: true, text: 'Connection successful' }
  return { isGood: false, text: answer?.error || failed }
}

/** What the dialog says about a refusal. */
export function refusalText(error: unknown): TestResult {
  if (!(error instanceof ApiError)) return { isGood: false, text: failed }
  if (error.status === 501) return { isGood: false, text: 'We currently do not support testing this connection type' }
  const words = error.message === unknownFailure || error.message === '' ? failed : error.message
  return { isGood: false, text: error.status === 400 ? formatted(words) : words }
}

/** JSON, and JSON at the end of a sentence, reads better over several lines. */
function formatted(text: string): string {
  const start = /^\s*[[{]/.test(text) ? 0 : text.search(/: [[{]/) + 2
  if (start === 1) return text
  try {
    const value: unknown = JSON.parse(text.slice(start))
    const words = text.slice(0, start).trimEnd()
    return (words === '' ? '' : `${words}\n`) + JSON.stringify(value, null, 2)
  } catch {
    return text
  }
}
