import { ValueError } from '../errors.ts'

export type Token =
  | { type: 'number'; value: number }
  | { type: 'text'; parts: (string | Token[])[] }
  | { type: 'name' | 'field' | 'variable' | 'format' | 'symbol' | 'keyword'; value: string }
  | { type: 'end' }

export const keywords = new Set(
  'def if then elif else end as reduce foreach try catch label import include and or __loc__'.split(' '),
)

const symbols = [
  '?//=',
  '?//',
  '//=',
  '|=',
  '+=',
  '-=',
  '*=',
  '/=',
  '%=',
  '==',
  '!=',
  '<=',
  '>=',
  '//',
  '..',
  '|',
  ',',
  '.',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  ':',
  ';',
  '=',
  '<',
  '>',
  '+',
  '-',
  '*',
  '/',
  '%',
  '$',
  '?',
]

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '/': '/', '\\': '\\', '"': '"' }

/** Reads tokens up to the end of the text, or up to the parenthesis that closes an interpolation. */
export function tokenize(source: string, start = 0, inside = false): { tokens: Token[]; end: number } {
  const tokens: Token[] = []
  let at = start
  let depth = 0
  while (at < source.length) {
    const rest = source.slice(at, at + 200)
    const blank = /^(?:\s+|#[^\n]*)/.exec(rest)
    if (blank) {
      at += blank[0].length
      continue
    }
    if (rest[0] === '"') {
      const read = readText(source, at + 1)
      tokens.push({ type: 'text', parts: read.parts })
      at = read.end
      continue
    }
    const word = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(rest)
    if (word) {
      tokens.push({ type: 'number', value: Number(word[0]) })
      at += word[0].length
      continue
    }
    const field = /^\.([A-Za-z_]\w*)/.exec(rest)
    const name = /^(?:[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)/.exec(rest)
    const variable = /^\$(__loc__|[A-Za-z_]\w*)/.exec(rest)
    const format = /^@(\w+)/.exec(rest)
    if (field) tokens.push({ type: 'field', value: field[1]! })
    else if (name) tokens.push({ type: keywords.has(name[0]) ? 'keyword' : 'name', value: name[0] })
    else if (variable) tokens.push({ type: 'variable', value: variable[1]! })
    else if (format) tokens.push({ type: 'format', value: format[1]! })
    const taken = field?.[0] ?? name?.[0] ?? variable?.[0] ?? format?.[0]
    if (taken) {
      at += taken.length
      continue
    }
    const symbol = symbols.find((candidate) => rest.startsWith(candidate))
    if (!symbol) throw new ValueError(`jq: unexpected ${JSON.stringify(rest[0])} at ${at + 1}`)
    if (inside && symbol === ')' && depth === 0) return { tokens: [...tokens, { type: 'end' }], end: at + 1 }
    if (symbol === '(') depth++
    if (symbol === ')') depth--
    tokens.push({ type: 'symbol', value: symbol })
    at += symbol.length
  }
  if (inside) throw new ValueError('jq: an interpolation in a text does not end')
  return { tokens: [...tokens, { type: 'end' }], end: at }
}

function readText(source: string, start: number): { parts: (string | Token[])[]; end: number } {
  const parts: (string | Token[])[] = []
  let text = ''
  let at = start
  for (;;) {
    const character = source[at]
    if (character === undefined) throw new ValueError('jq: a text does not end')
    if (character === '"') break
    if (character !== '\\') {
      text += character
      at++
      continue
    }
    const next = source[at + 1]!
    if (next === '(') {
      const inner = tokenize(source, at + 2, true)
      parts.push(text, inner.tokens)
      text = ''
      at = inner.end
    } else if (next === 'u') {
      text += String.fromCharCode(Number.parseInt(source.slice(at + 2, at + 6), 16))
      at += 6
    } else if (escapes[next]) {
      text += escapes[next]
      at += 2
    } else throw new ValueError(`jq: unknown escape \\${next ?? ''}`)
  }
  return { parts: [...parts, text], end: at + 1 }
}
