import { AppError } from '../../platform/errors.ts'
import { malformed } from '../errors.ts'
import type { Limits } from '../limits.ts'

/** The parameters in the order they were sent. Empty ones (?&a=b, a&&b) are skipped: a console of this API sends them. */
export function splitQuery(raw: string, limits: Limits): [string, string][] {
  if (raw.length > limits.queryLength) {
    throw new AppError(414, 'PGRST100', 'The query string is too long', `It may have ${limits.queryLength} characters.`)
  }
  const pairs: [string, string][] = []
  for (const piece of raw.split('&')) {
    if (piece === '') continue
    const equals = piece.indexOf('=')
    if (equals < 0) pairs.push([decode(piece), ''])
    else pairs.push([decode(piece.slice(0, equals)), decode(piece.slice(equals + 1))])
  }
  return pairs
}

function decode(text: string): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)
  } catch {
    throw malformed('The query string is not valid: a percent sign must start an encoded UTF-8 character')
  }
  if (decoded.includes('\0')) throw malformed('The query string is not valid: it holds a NUL character')
  return decoded
}
