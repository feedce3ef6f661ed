import { Lexer } from 'yaml'

const maxFlow = 64
const maxIndent = 160

/**
 * Where a text nests deeper than any document has reason to; undefined when it does not. The composer goes down
 * recursively, and running out of stack there can end the whole process, so this looks first, without recursion.
 */
export function tooDeepAt(text: string): { line: number } | undefined {
  let line = 1
  let column = 0
  let flow = 0
  let atLineStart = true
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') {
      if (++flow > maxFlow) return { line }
    } else if (token === ']' || token === '}') flow = Math.max(0, flow - 1)
    // Block collections nest by column: the indent of a line, or one mark behind the other as in `- - - x`.
    if (flow === 0 && column > maxIndent && (token === '-' || token === '?' || token === ':')) return { line }
    if (flow === 0 && atLineStart && token.trim() === '' && !token.includes('\n') && token.length > maxIndent)
      return { line }
    const breaks = token.split('\n').length - 1
    line += breaks
    atLineStart = breaks > 0 && token.endsWith('\n')
    column = breaks > 0 ? token.length - token.lastIndexOf('\n') - 1 : column + token.length
  }
  return undefined
}
