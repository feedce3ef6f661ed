import { parseDuration } from '@quarterdeck/contract/schedule'
import { compilePattern } from '../../../platform/expressions/library/regexp.ts'
import { InvalidCheck } from '../run/run-check.ts'

export { driver, hostAndPort, onAbort } from '../../../platform/clients/support.ts'

/** Milliseconds of `work`, beside what it gave. */
export async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const started = performance.now()
  const value = await work()
  return { value, ms: performance.now() - started }
}

/** The error for a run that took longer than the check allows; nothing when it did not or there is no limit. */
export function tooSlow(ms: number, limit: number | undefined): string[] {
  return limit && ms > limit ? [`took ${Math.round(ms)} ms, more than ${limit} ms`] : []
}

export function durationOf(text: string | undefined, field: string): number | undefined {
  if (!text) return undefined
  const ms = parseDuration(text)
  if (ms === undefined) throw new InvalidCheck(`${field}: "${text}" is not a duration such as 90s or 3d`)
  return ms
}

const sizeUnits: Record<string, number> = {
  '': 1,
  b: 1,
  k: 1000,
  kb: 1000,
  m: 1e6,
  mb: 1e6,
  g: 1e9,
  gb: 1e9,
  t: 1e12,
  tb: 1e12,
  p: 1e15,
  pb: 1e15,
  ki: 1024,
  kib: 1024,
  mi: 1024 ** 2,
  mib: 1024 ** 2,
  gi: 1024 ** 3,
  gib: 1024 ** 3,
  ti: 1024 ** 4,
  tib: 1024 ** 4,
}

/** Bytes of `10`, `5MB`, `1Gi`. */
export function sizeOf(text: string | undefined, field: string): number | undefined {
  if (!text) return undefined
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text)
  const unit = sizeUnits[match?.[2]?.toLowerCase() ?? 'none']
  if (!match || unit === undefined) throw new InvalidCheck(`${field}: "${text}" is not a size such as 10MB or 1Gi`)
  return Number(match[1]) * unit
}

/** What decides whether a text fits. */
export interface Pattern {
  test(text: string): boolean
}

/** A user's regular expression, in time linear to the text: the platform's own could take for ever. */
export function patternOf(source: string, field: string): Pattern {
  try {
    const program = compilePattern(source)
    return { test: (text) => program.matcher(text).find() }
  } catch (error) {
    throw new InvalidCheck(`${field}: ${(error as Error).message}`)
  }
}

/** `*`, `**` and `?` as shells read them; a single star stops at a slash. */
export function globPattern(glob: string): Pattern {
  const source = glob.replace(/\*\*\/?|[*?]|[.+^${}()|[\]\\]/g, (found) =>
    found === '?' ? '[^/]' : found === '*' ? '[^/]*' : found.startsWith('**') ? '.*' : `\\${found}`,
  )
  return patternOf(`^(?s:${source})$`, glob)
}
