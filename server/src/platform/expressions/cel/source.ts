import { Environment, ParseError } from '@marcbachmann/cel-js'
import { ExpressionError, placeOf } from '../errors.ts'

/** A node of the parser's tree, as far as we read it. */
export interface Node {
  op: string
  args: unknown
  start: number
  pos: number
}

export interface Source {
  ast: Node
  /** What the user wrote, for positions. */
  text: string
  /** Offsets where `?` marks an optional entry of a list or map. */
  optionalEntries: ReadonlySet<number>
}

export const longestExpression = 65_536

// The parser is the library's; macros are told apart by our compiler, so a plain environment is enough.
const parser = new Environment({
  enableOptionalTypes: true,
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 20_000, maxDepth: 200, maxListElements: 5_000, maxMapEntries: 5_000, maxCallArguments: 64 },
})

/**
 * Line breaks become blanks (also inside texts, as authors of YAML expect) and comments vanish, each with the same length,
 * so that offsets stay those of the original. `[?x]` and `{?k: v}`, which the parser does not know, become a minus that
 * the compiler finds again by its offset.
 */
function prepare(text: string): { text: string; optionalEntries: Set<number> } {
  const optionalEntries = new Set<number>()
  const out = text.split('')
  let last = ''
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (character === '\n' || character === '\r') {
      out[i] = ' '
      continue
    }
    if (character === '"' || character === "'") {
      i = skipText(text, out, i)
      last = character
      continue
    }
    if (character === '/' && text[i + 1] === '/') {
      while (i < text.length && text[i] !== '\n') out[i++] = ' '
      i--
      continue
    }
    if (character === '?' && (last === '{' || last === ',' || last === 'list')) {
      optionalEntries.add(i)
      out[i] = '-'
    }
    if (character === '[') last = /[\w)\]}"'`]/.test(last) && last !== 'list' ? '[' : 'list'
    else if (!/\s/.test(character)) last = character
  }
  return { text: out.join(''), optionalEntries }
}

/** Offset of the closing quote; line breaks inside become blanks. */
function skipText(text: string, out: string[], start: number): number {
  const quote = text[start]!
  const triple = text.startsWith(quote.repeat(3), start)
  const raw = /[rR]/.test(text[start - 1] ?? '') && !/\w/.test(text[start - 2] ?? '')
  let i = start + (triple ? 3 : 1)
  for (; i < text.length; i++) {
    if (text[i] === '\n' || text[i] === '\r') {
      if (!triple) out[i] = ' '
    } else if (text[i] === '\\' && !raw) i++
    else if (triple ? text.startsWith(quote.repeat(3), i) : text[i] === quote) return i + (triple ? 2 : 0)
  }
  return i
}

export function syntaxError(text: string, message: string, offset: number): ExpressionError {
  const place = placeOf(text, offset)
  return new ExpressionError({
    message: `${message} (line ${place.line}, column ${place.column})`,
    kind: 'syntax',
    language: 'cel',
    ...place,
  })
}

export function parse(text: string): Source {
  if (text.length > longestExpression) {
    throw new ExpressionError({
      message: `The expression is longer than ${longestExpression} characters`,
      kind: 'limit',
      language: 'cel',
    })
  }
  if (text.trim() === '')
    throw new ExpressionError({ message: 'The expression is empty', kind: 'syntax', language: 'cel' })
  const prepared = prepare(text)
  try {
    const program = parser.parse(prepared.text) as unknown as { ast: Node }
    return { ast: program.ast, text, optionalEntries: prepared.optionalEntries }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    const { summary, range } = error as unknown as { summary: string; range?: { start: number } }
    throw syntaxError(text, summary, range?.start ?? 0)
  }
}
