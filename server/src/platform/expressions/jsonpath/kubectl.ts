import { ExpressionError } from '../errors.ts'
import type { Run } from '../run.ts'
import { findNodes } from './jsonpath.ts'

/**
 * kubectl's templates: text with `{path}` parts, `{range path}…{end}` and `{"quoted text"}`.
 * `{.items[*].metadata.name}` alone is a path; with text around it the values are joined by blanks.
 */

type Part = { text: string } | { path: string } | { range: string; body: Part[] }

const wrong = (message: string) =>
  new ExpressionError({ message: `The JSON path is wrong: ${message}`, kind: 'syntax', language: 'jsonpath' })

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r' }

/** Cuts at braces that are outside quotes. */
function pieces(template: string): string[] {
  const found: string[] = []
  let at = 0
  while (at < template.length) {
    const open = template.indexOf('{', at)
    if (open < 0) break
    if (open > at) found.push(template.slice(at, open))
    let end = open + 1
    let quote = ''
    for (; end < template.length; end++) {
      const character = template[end]!
      if (quote) {
        if (character === '\\') end++
        else if (character === quote) quote = ''
      } else if (character === '"' || character === "'") quote = character
      else if (character === '}') break
    }
    if (end >= template.length) throw wrong('a brace is not closed')
    found.push(template.slice(open, end + 1))
    at = end + 1
  }
  if (at < template.length) found.push(template.slice(at))
  return found
}

function parse(template: string): Part[] {
  const stack: Part[][] = [[]]
  const ranges: string[] = []
  for (const piece of pieces(template)) {
    const inside = piece.startsWith('{') ? piece.slice(1, -1).trim() : undefined
    const parts = stack.at(-1)!
    if (inside === undefined) parts.push({ text: piece })
    else if (inside === 'end') {
      const range = ranges.pop()
      if (range === undefined) throw wrong('{end} without {range}')
      const body = stack.pop()!
      stack.at(-1)!.push({ range, body })
    } else if (/^range\s/.test(inside)) {
      ranges.push(inside.slice(6).trim())
      stack.push([])
    } else if (/^"(?:\\.|[^"\\])*"$|^'(?:\\.|[^'\\])*'$/.test(inside)) {
      parts.push({
        text: inside.slice(1, -1).replace(/\\(.)/g, (_, character: string) => escapes[character] ?? character),
      })
    } else parts.push({ path: inside })
  }
  if (ranges.length > 0) throw wrong('{range} without {end}')
  return stack[0]!
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)

function render(parts: Part[], data: unknown, run: Run): string {
  return parts
    .map((part) => {
      run.spend(1)
      if ('text' in part) return part.text
      if ('path' in part)
        return findNodes(part.path, data, run)
          .map(({ value }) => shown(value))
          .join(' ')
      return findNodes(part.range, data, run)
        .map(({ value }) => render(part.body, value, run))
        .join('')
    })
    .join('')
}

/** Whether a text is a template rather than one path. */
export const isTemplate = (text: string): boolean => {
  const trimmed = text.trim()
  return trimmed.includes('{') && (!/^\{[^{}]*\}$/.test(trimmed) || /^\{\s*["']/.test(trimmed))
}

export function renderPathTemplate(template: string, data: unknown, run: Run): string {
  const made = render(parse(template), data, run)
  run.allowText(made.length)
  return made
}

export const checkPathTemplate = (template: string): void => void parse(template)
