import { RE2JS } from 're2js'
import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'

/** Users' regular expressions: RE2 syntax, time linear in the text, never the platform's backtracking engine. */

const longestPattern = 2_000
const compiled = new Map<string, RE2JS>()

export function compilePattern(pattern: string, flags = 0, run?: Run): RE2JS {
  const key = `${flags}/${pattern}`
  const known = compiled.get(key)
  if (known) return known
  // Counted repetitions are unrolled: `[a-z]{0,1000}` is a thousand instructions to build.
  const repeats = [...pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)].reduce(
    (sum, [, low, high]) => sum + Number(high || low),
    0,
  )
  run?.spend(pattern.length * 8 + repeats * 40)
  if (pattern.length > longestPattern)
    throw new ValueError(`the regular expression is longer than ${longestPattern} characters`)
  let program: RE2JS
  try {
    program = RE2JS.compile(pattern, flags)
  } catch (error) {
    throw new ValueError(`the regular expression ${JSON.stringify(pattern)} is wrong: ${(error as Error).message}`)
  }
  if (compiled.size >= 500) compiled.delete(compiled.keys().next().value!)
  compiled.set(key, program)
  return program
}

/** The engine visits at most every instruction once per character. */
function ready(run: Run, pattern: string, text: string, flags = 0): RE2JS {
  const program = compilePattern(pattern, flags, run)
  run.spend(4 + Math.ceil((text.length * Math.max(4, program.programSize())) / 48))
  return program
}

export const matches = (run: Run, pattern: string, text: string): boolean =>
  ready(run, pattern, text).matcher(text).find()

export function find(run: Run, pattern: string, text: string): string {
  const matcher = ready(run, pattern, text).matcher(text)
  return matcher.find() ? (matcher.group() ?? '') : ''
}

export interface Match {
  text: string
  start: number
  end: number
  groups: (string | null)[]
}

/** Matches one after the other, at most `most` of them. */
export function matchesOf(run: Run, pattern: string, text: string, most = -1, flags = 0): Match[] {
  const program = ready(run, pattern, text, flags)
  const matcher = program.matcher(text)
  const found: Match[] = []
  let last = -1
  while ((most < 0 || found.length < most) && matcher.find()) {
    run.spend(1)
    // As in Go, an empty match right behind another match does not count.
    const isEmpty = matcher.start() === matcher.end()
    if (isEmpty && matcher.start() === last) continue
    last = matcher.end()
    const groups = Array.from({ length: program.groupCount() }, (_, index) => matcher.group(index + 1) ?? null)
    found.push({ text: matcher.group() ?? '', start: matcher.start(), end: matcher.end(), groups })
  }
  return found
}

export const findAll = (run: Run, pattern: string, text: string, most = -1): string[] =>
  matchesOf(run, pattern, text, most).map((match) => match.text)

const replacing = (run: Run, pattern: string, text: string, make: (match: Match) => string): string => {
  let out = ''
  let at = 0
  for (const match of matchesOf(run, pattern, text)) {
    const made = make(match)
    run.allowText(out.length + made.length)
    out += text.slice(at, match.start) + made
    at = match.end
  }
  return out + text.slice(at)
}

/** `$1`, `${1}`, `$name` and `${name}` stand for groups, as in Go. */
export function replace(run: Run, pattern: string, replacement: string, text: string): string {
  const named = compilePattern(pattern, 0, run).namedGroups()
  return replacing(run, pattern, text, (match) =>
    replacement.replace(/\$(?:\$|\{(\w+)\}|(\w+))/g, (all, braced?: string, bare?: string) => {
      if (all === '$$') return '$'
      const name = braced ?? bare!
      const index = /^\d+$/.test(name) ? Number(name) : named[name]
      if (index === 0) return match.text
      return index === undefined ? '' : (match.groups[index - 1] ?? '')
    }),
  )
}

export const replaceLiteral = (run: Run, pattern: string, replacement: string, text: string): string =>
  replacing(run, pattern, text, () => replacement)

export const quoteMeta = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')

export function split(run: Run, pattern: string, text: string, most = -1): string[] {
  if (most === 0) return []
  const parts: string[] = []
  let at = 0
  for (const match of matchesOf(run, pattern, text)) {
    if (most > 0 && parts.length === most - 1) break
    if (match.end === 0) continue
    if (match.start === text.length && match.text === '') continue
    parts.push(text.slice(at, match.start))
    at = match.end
  }
  parts.push(text.slice(at))
  return parts
}
