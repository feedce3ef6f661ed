import { goTemplateError } from './error.ts'

export interface Delimiters {
  left: string
  right: string
}

export type TokenType =
  | 'text'
  | 'open'
  | 'close'
  | 'space'
  | 'identifier'
  | 'keyword'
  | 'field'
  | 'variable'
  | 'dot'
  | 'bool'
  | 'nil'
  | 'number'
  | 'string'
  | 'pipe'
  | 'declare'
  | 'assign'
  | 'comma'
  | 'paren-open'
  | 'paren-close'
  | 'end'

export interface Token {
  type: TokenType
  value: string
  offset: number
}

const keywords = new Set(['block', 'break', 'continue', 'define', 'else', 'end', 'if', 'range', 'template', 'with'])
const leftTrim = /\s+$/
const escapes: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
}

/** Cuts a template into text and the tokens of its actions. Trim markers and comments are gone afterwards. */
export function tokenize(source: string, { left, right }: Delimiters): Token[] {
  const tokens: Token[] = []
  let at = 0
  let trimNext = false
  const text = (from: number, to: number, trimEnd: boolean) => {
    let piece = source.slice(from, to)
    if (trimNext) piece = piece.trimStart()
    if (trimEnd) piece = piece.replace(leftTrim, '')
    if (piece !== '') tokens.push({ type: 'text', value: piece, offset: from })
  }
  for (;;) {
    const open = source.indexOf(left, at)
    if (open < 0) break
    const inside = open + left.length
    const trims = source[inside] === '-' && /\s/.test(source[inside + 1] ?? '')
    text(at, open, trims)
    trimNext = false
    let start = trims ? inside + 1 : inside
    const comment = /^\s*\/\*/.exec(source.slice(start, start + 50))
    if (comment) {
      const close = source.indexOf('*/', start + comment[0].length)
      if (close < 0) throw goTemplateError(source, open, 'the comment does not end', 'syntax')
      const after = source.slice(close + 2)
      const trimmed = /^\s+-/.exec(after)
      const end = trimmed && after.startsWith(right, trimmed[0].length) ? close + 2 + trimmed[0].length : close + 2
      if (!source.startsWith(right, end))
        throw goTemplateError(source, close, `the comment must be closed by */ and ${right}`, 'syntax')
      trimNext = end !== close + 2
      at = end + right.length
      continue
    }
    tokens.push({ type: 'open', value: left, offset: open })
    const action = lexAction(source, start, right, tokens)
    trimNext = action.trim
    at = action.end
    start = at
  }
  text(at, source.length, false)
  tokens.push({ type: 'end', value: '', offset: source.length })
  return tokens
}

const number = /[+-]?(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?)/y
const name = /[\p{L}_][\p{L}\p{N}_]*/uy

function lexAction(source: string, start: number, right: string, tokens: Token[]): { end: number; trim: boolean } {
  let at = start
  let depth = 0
  const push = (type: TokenType, value: string, length = value.length) => {
    tokens.push({ type, value, offset: at })
    at += length
  }
  const match = (pattern: RegExp, from = at) => {
    pattern.lastIndex = from
    return pattern.exec(source)?.[0]
  }
  for (;;) {
    if (at >= source.length) throw goTemplateError(source, start, `the action is not closed by ${right}`, 'syntax')
    const character = source[at]!
    // With `)` as the right delimiter, only the one that closes no parenthesis ends the action.
    if (source.startsWith(right, at) && (depth === 0 || right !== ')')) {
      if (depth > 0) throw goTemplateError(source, at, 'a parenthesis is not closed', 'syntax')
      push('close', right)
      return { end: at, trim: false }
    }
    const trimming = /^\s+-/.exec(source.slice(at, at + 20))
    if (trimming && source.startsWith(right, at + trimming[0].length)) {
      if (depth > 0) throw goTemplateError(source, at, 'a parenthesis is not closed', 'syntax')
      at += trimming[0].length
      push('close', right)
      return { end: at, trim: true }
    }
    if (/\s/.test(character)) {
      push('space', /^\s+/.exec(source.slice(at, at + 1000))![0])
      continue
    }
    const previous = tokens.at(-1)!.type
    const operandBefore = [
      'identifier',
      'field',
      'variable',
      'paren-close',
      'string',
      'number',
      'dot',
      'bool',
    ].includes(previous)
    if (character === '"' || character === "'") push(character === '"' ? 'string' : 'number', ...readQuoted(source, at))
    else if (character === '`') {
      const close = source.indexOf('`', at + 1)
      if (close < 0) throw goTemplateError(source, at, 'the raw text does not end', 'syntax')
      push('string', source.slice(at + 1, close), close + 1 - at)
    } else if (source.startsWith(':=', at)) push('declare', ':=')
    else if (character === '=') push('assign', '=')
    else if (character === '|') push('pipe', '|')
    else if (character === ',') push('comma', ',')
    else if (character === '(') {
      depth++
      push('paren-open', '(')
    } else if (character === ')') {
      if (--depth < 0) throw goTemplateError(source, at, 'unexpected )', 'syntax')
      push('paren-close', ')')
    } else if (character === '$') {
      const found = match(name, at + 1) ?? ''
      push('variable', `$${found}`)
    } else if (character === '.' && !/\d/.test(source[at + 1] ?? '')) {
      const found = match(name, at + 1)
      if (found) push('field', found, found.length + 1)
      else push('dot', '.')
    } else if (/\d/.test(character) || (/[+\-.]/.test(character) && !operandBefore)) {
      const found = match(number)
      if (!found) throw goTemplateError(source, at, `unexpected ${character}`, 'syntax')
      push('number', found)
    } else {
      const found = match(name)
      if (!found) throw goTemplateError(source, at, `unexpected ${JSON.stringify(character)} in the action`, 'syntax')
      if (keywords.has(found)) push('keyword', found)
      else if (found === 'true' || found === 'false') push('bool', found)
      else push(found === 'nil' ? 'nil' : 'identifier', found)
    }
  }
}

/** A quoted text, or a character constant as its number; with how much of the source it took. */
function readQuoted(source: string, start: number): [value: string, length: number] {
  const quote = source[start]!
  let value = ''
  let at = start + 1
  for (;;) {
    const character = source[at]
    if (character === undefined || character === '\n')
      throw goTemplateError(source, start, 'the quoted text does not end', 'syntax')
    if (character === quote) break
    if (character !== '\\') {
      value += character
      at++
      continue
    }
    const code = /^\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3}))/.exec(source.slice(at, at + 10))
    if (code) {
      value += String.fromCodePoint(
        code[4] ? Number.parseInt(code[4], 8) : Number.parseInt(code[1] ?? code[2] ?? code[3]!, 16),
      )
      at += code[0].length
      continue
    }
    const escaped = escapes[source[at + 1] ?? '']
    if (escaped === undefined) throw goTemplateError(source, at, 'unknown escape in the quoted text', 'syntax')
    value += escaped
    at += 2
  }
  return [quote === "'" ? String(value.codePointAt(0) ?? 0) : value, at + 1 - start]
}
