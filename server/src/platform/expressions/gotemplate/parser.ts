import { goTemplateError } from './error.ts'
import { type Delimiters, type Token, type TokenType, tokenize } from './lexer.ts'
import type { Command, Node, Operand, Pipe, Template } from './syntax.ts'

const deepest = 200

class Parser {
  private at = 0
  private depth = 0
  private ranges = 0
  private scope: string[] = ['$']
  readonly named = new Map<string, Node[]>()

  constructor(
    private readonly source: string,
    private readonly tokens: Token[],
    private readonly isFunction: (name: string) => boolean,
  ) {}

  private get token(): Token {
    return this.tokens[this.at]!
  }
  private fail(message: string, offset = this.token.offset): never {
    throw goTemplateError(this.source, offset, message, 'syntax')
  }
  private unexpected(where: string): never {
    const { type, value } = this.token
    return this.fail(`unexpected ${type === 'end' ? 'end of the template' : `"${value}"`} in ${where}`)
  }
  private skipSpace(): void {
    while (this.token.type === 'space') this.at++
  }
  private accept(type: TokenType, value?: string): Token | undefined {
    const { token } = this
    if (token.type !== type || (value !== undefined && token.value !== value)) return undefined
    this.at++
    return token
  }
  private expect(type: TokenType, where: string): Token {
    return this.accept(type) ?? this.unexpected(where)
  }
  private close(where: string): void {
    this.skipSpace()
    this.expect('close', where)
  }

  parse(): Node[] {
    const { nodes, stop } = this.list()
    if (stop) this.fail(`unexpected {{${stop.value}}}`, stop.offset)
    return nodes
  }

  /** Nodes up to `end` or `else` (whose keyword is given back), or up to the end of the template. */
  private list(): { nodes: Node[]; stop?: Token } {
    if (++this.depth > deepest) this.fail('the template is nested too deeply')
    const nodes: Node[] = []
    for (;;) {
      const { token } = this
      if (token.type === 'end') {
        this.depth--
        return { nodes }
      }
      this.at++
      if (token.type === 'text') {
        nodes.push({ type: 'text', text: token.value })
        continue
      }
      this.skipSpace()
      const keyword = this.accept('keyword')
      if (keyword && (keyword.value === 'end' || keyword.value === 'else')) {
        this.depth--
        return { nodes, stop: keyword }
      }
      const node = keyword ? this.control(keyword) : this.action(token.offset)
      if (node) nodes.push(node)
    }
  }

  private action(offset: number): Node {
    const pipe = this.pipe('command', false)
    this.close('command')
    return { type: 'action', pipe, offset }
  }

  private control({ value, offset }: Token): Node | undefined {
    switch (value) {
      case 'if':
      case 'with':
      case 'range':
        return this.branch(value, offset)
      case 'define':
        return this.define(offset)
      case 'block':
        return this.block(offset)
      case 'template':
        return this.template(offset)
      case 'break':
      case 'continue':
        if (this.ranges === 0) this.fail(`{{${value}}} outside {{range}}`, offset)
        this.close(value)
        return { type: value, offset }
      default:
        return this.unexpected('command')
    }
  }

  private branch(type: 'if' | 'with' | 'range', offset: number): Node {
    const held = this.scope.length
    const pipe = this.pipe(type, type === 'range')
    this.close(type)
    if (type === 'range') this.ranges++
    const { nodes: body, stop } = this.list()
    if (type === 'range') this.ranges--
    let otherwise: Node[] = []
    if (stop?.value === 'else') otherwise = this.otherwise(type)
    else if (stop?.value === 'end') this.close('end')
    else this.fail('unexpected end of the template: {{end}} is missing', offset)
    this.scope.length = held
    return { type, pipe, body, otherwise, offset }
  }

  private otherwise(type: string): Node[] {
    this.skipSpace()
    const chained = this.accept('keyword')
    if (chained && (chained.value === 'if' || chained.value === 'with') && type !== 'range') {
      return [this.branch(chained.value, chained.offset)]
    }
    if (chained) this.unexpected('else')
    this.close('else')
    const { nodes, stop } = this.list()
    if (stop?.value !== 'end') this.fail('{{end}} is expected after {{else}}')
    this.close('end')
    return nodes
  }

  private quotedName(where: string): string {
    this.skipSpace()
    return this.expect('string', where).value
  }

  /** A body with variables of its own. */
  private body(offset: number): Node[] {
    const [scope, ranges] = [this.scope, this.ranges]
    this.scope = ['$']
    this.ranges = 0
    const { nodes, stop } = this.list()
    if (stop?.value !== 'end') this.fail('{{end}} is missing', offset)
    this.close('end')
    this.scope = scope
    this.ranges = ranges
    return nodes
  }

  private define(offset: number): undefined {
    if (this.depth > 1) this.fail('{{define}} must stand at the top of the template', offset)
    const name = this.quotedName('define')
    this.close('define')
    this.named.set(name, this.body(offset))
    return undefined
  }

  private block(offset: number): Node {
    const name = this.quotedName('block')
    this.skipSpace()
    const pipe = this.pipe('block', false)
    this.close('block')
    this.named.set(name, this.body(offset))
    return { type: 'template', name, pipe, offset }
  }

  private template(offset: number): Node {
    const name = this.quotedName('template')
    this.skipSpace()
    const pipe = this.token.type === 'close' ? null : this.pipe('template', false)
    this.close('template')
    return { type: 'template', name, pipe, offset }
  }

  private pipe(where: string, isRange: boolean): Pipe {
    this.skipSpace()
    const { offset } = this.token
    const { variables, assigns } = this.declarations(isRange)
    const commands: Command[] = []
    for (;;) {
      commands.push(this.command(where))
      if (!this.accept('pipe')) break
    }
    if (
      commands
        .slice(1)
        .some(({ args }) => args[0]!.type === 'constant' || args[0]!.type === 'dot' || args[0]!.type === 'nil')
    ) {
      this.fail('only a function can follow | in a pipeline', offset)
    }
    if (!assigns) this.scope.push(...variables)
    return { variables, assigns, commands, offset }
  }

  private declarations(isRange: boolean): { variables: string[]; assigns: boolean } {
    const start = this.at
    const variables: string[] = []
    for (;;) {
      const variable = this.accept('variable')
      if (!variable) break
      this.skipSpace()
      if (this.token.type === 'declare' || this.token.type === 'assign') {
        const assigns = this.token.type === 'assign'
        this.at++
        this.skipSpace()
        variables.push(variable.value)
        if (assigns) for (const name of variables) this.known(name, variable.offset)
        return { variables, assigns }
      }
      if (!isRange || !this.accept('comma') || variables.length > 0) break
      variables.push(variable.value)
      this.skipSpace()
    }
    this.at = start
    return { variables: [], assigns: false }
  }

  private known(name: string, offset: number): void {
    if (!this.scope.includes(name)) this.fail(`undefined variable "${name}"`, offset)
  }

  private command(where: string): Command {
    this.skipSpace()
    const { offset } = this.token
    const args: Operand[] = []
    for (;;) {
      const operand = this.operand()
      if (!operand) break
      args.push(operand)
      if (this.token.type !== 'space') break
      this.skipSpace()
    }
    if (args.length === 0) {
      if (this.token.type === 'close' || this.token.type === 'pipe' || this.token.type === 'paren-close')
        this.fail(`missing value for ${where}`)
      this.unexpected(where)
    }
    if (this.operandFollows()) this.unexpected('operand')
    return { args, offset }
  }

  private operandFollows(): boolean {
    return !['close', 'pipe', 'paren-close', 'space'].includes(this.token.type)
  }

  private operand(): Operand | undefined {
    const term = this.term()
    if (!term || this.token.type !== 'field') return term
    const path: string[] = []
    while (this.token.type === 'field') path.push(this.tokens[this.at++]!.value)
    switch (term.type) {
      case 'field':
      case 'variable':
        return { ...term, path: [...term.path, ...path] }
      case 'constant':
      case 'nil':
      case 'dot':
        return this.fail(`unexpected . after the term`)
      default:
        return { type: 'chain', of: term, path, offset: term.offset }
    }
  }

  private term(): Operand | undefined {
    const { token } = this
    const { offset, value } = token
    switch (token.type) {
      case 'identifier':
        if (!this.isFunction(value)) this.fail(`function "${value}" not defined`)
        this.at++
        return { type: 'function', name: value, offset }
      case 'dot':
        this.at++
        return { type: 'dot', offset }
      case 'nil':
        this.at++
        return { type: 'nil', offset }
      case 'variable':
        this.known(value, offset)
        this.at++
        return { type: 'variable', name: value, path: [], offset }
      case 'field':
        this.at++
        return { type: 'field', path: [value], offset }
      case 'bool':
        this.at++
        return { type: 'constant', value: value === 'true', offset }
      case 'number':
        this.at++
        return { type: 'constant', value: this.numberOf(value, offset), offset }
      case 'string':
        this.at++
        return { type: 'constant', value, offset }
      case 'paren-open': {
        if (++this.depth > deepest) this.fail('the template is nested too deeply')
        this.at++
        const pipe = this.pipe('parenthesized pipeline', false)
        this.skipSpace()
        this.expect('paren-close', 'parenthesized pipeline')
        this.depth--
        return { type: 'pipe', pipe, offset }
      }
      default:
        return undefined
    }
  }

  private numberOf(text: string, offset: number): number | bigint {
    const plain = text.replaceAll('_', '')
    const sign = plain.startsWith('-') ? -1 : 1
    const digits = plain.replace(/^[+-]/, '')
    const octal = /^0\d+$/.test(digits) ? `0o${digits.slice(1)}` : digits
    const value = Number(octal)
    if (Number.isNaN(value)) this.fail(`bad number "${text}"`, offset)
    if (/^(0x[\da-f]+|0[bo]\d+|\d+)$/i.test(octal) && !Number.isSafeInteger(value)) return BigInt(octal) * BigInt(sign)
    return sign * value
  }
}

export function parseTemplate(source: string, delimiters: Delimiters, isFunction: (name: string) => boolean): Template {
  const parser = new Parser(source, tokenize(source, delimiters), isFunction)
  const body = parser.parse()
  return { source, body, named: parser.named }
}
