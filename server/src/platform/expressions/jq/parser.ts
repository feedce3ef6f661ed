import { ValueError } from '../errors.ts'
import { type Token, tokenize } from './lexer.ts'
import type { Definition, Jq, Pattern } from './syntax.ts'

const identity: Jq = { type: 'identity' }

// Loosest first. `nonassoc` operators do not chain.
const levels: { operators: string[]; assoc: 'left' | 'right' | 'none' }[] = [
  { operators: ['//'], assoc: 'right' },
  { operators: ['=', '|=', '+=', '-=', '*=', '/=', '%=', '//='], assoc: 'none' },
  { operators: ['or'], assoc: 'left' },
  { operators: ['and'], assoc: 'left' },
  { operators: ['==', '!=', '<', '<=', '>', '>='], assoc: 'none' },
  { operators: ['+', '-'], assoc: 'left' },
  { operators: ['*', '/', '%'], assoc: 'left' },
]

class Parser {
  private at = 0
  private depth = 0
  constructor(private readonly tokens: Token[]) {}

  private get token(): Token {
    return this.tokens[this.at]!
  }
  private shown(): string {
    const token = this.token
    return token.type === 'end' ? 'the end' : token.type === 'text' ? 'a text' : `"${token.value}"`
  }
  private fail(expected: string): never {
    throw new ValueError(`jq: ${expected} is expected, not ${this.shown()}`)
  }
  private is(value: string): boolean {
    const token = this.token
    return (token.type === 'symbol' || token.type === 'keyword') && token.value === value
  }
  private isA(type: Token['type']): boolean {
    return this.token.type === type
  }
  private accept(value: string): boolean {
    if (!this.is(value)) return false
    this.at++
    return true
  }
  private expect(value: string): void {
    if (!this.accept(value)) this.fail(`"${value}"`)
  }
  private take(type: 'name' | 'variable'): string {
    const token = this.token
    if (token.type !== type) return this.fail(`a ${type}`)
    this.at++
    return token.value
  }

  program(): Jq {
    const body = this.pipe()
    if (this.token.type !== 'end') this.fail('the end')
    return body
  }

  definitions(): Definition[] {
    const all: Definition[] = []
    while (this.is('def')) all.push(this.definition())
    if (this.token.type !== 'end') this.fail('def')
    return all
  }

  private definition(): Definition {
    this.expect('def')
    const name = this.token.type === 'keyword' ? this.keywordAsName() : this.take('name')
    const params: string[] = []
    if (this.accept('(')) {
      do params.push(this.token.type === 'variable' ? `$${this.take('variable')}` : this.take('name'))
      while (this.accept(';'))
      this.expect(')')
    }
    this.expect(':')
    const body = this.pipe()
    this.expect(';')
    return { name, params, body }
  }

  private keywordAsName(): string {
    const token = this.token
    this.at++
    return token.type === 'keyword' ? token.value : this.fail('a name')
  }

  pipe(): Jq {
    if (++this.depth > 250) throw new ValueError('jq: the program is nested too deeply')
    try {
      return this.pipeBody()
    } finally {
      this.depth--
    }
  }

  private pipeBody(): Jq {
    if (this.is('def')) {
      const definition = this.definition()
      return { type: 'define', definition, body: this.pipe() }
    }
    if (this.accept('label')) {
      const name = this.take('variable')
      this.expect('|')
      return { type: 'label', name, body: this.pipe() }
    }
    const left = this.comma()
    return this.accept('|') ? { type: 'pipe', left, right: this.pipe() } : left
  }

  private binding(source: Jq): Jq {
    const patterns = [this.pattern()]
    while (this.accept('?//')) patterns.push(this.pattern())
    this.expect('|')
    return { type: 'bind', source, patterns, body: this.pipe() }
  }

  private comma(): Jq {
    let left = this.binary(0)
    while (this.accept(',')) left = { type: 'comma', left, right: this.binary(0) }
    return left
  }

  private binary(level: number): Jq {
    const rules = levels[level]
    if (!rules) return this.postfix()
    let left = this.binary(level + 1)
    for (;;) {
      const operator = rules.operators.find((candidate) => this.is(candidate))
      if (!operator) return left
      this.at++
      const right = this.binary(rules.assoc === 'right' ? level : level + 1)
      left = this.operation(operator, left, right)
      if (rules.assoc !== 'left') return left
    }
  }

  private operation(operator: string, left: Jq, right: Jq): Jq {
    if (operator === '//') return { type: 'alternative', left, right }
    if (operator === 'and' || operator === 'or') return { type: operator, left, right }
    if (/^([|+\-*/%]|\/\/)?=$/.test(operator)) return { type: 'assign', operator, left, right }
    return { type: 'binary', operator, left, right }
  }

  /** A term with its suffixes; reduce and foreach read the `as` behind it themselves. */
  private postfix(stopAtAs = false): Jq {
    let term = this.primary()
    for (;;) {
      const token = this.token
      if (token.type === 'field') {
        this.at++
        term = { type: 'field', of: term, key: { type: 'literal', value: token.value } }
      } else if (this.is('.') && this.tokens[this.at + 1]?.type === 'text') {
        this.at++
        term = { type: 'field', of: term, key: this.text('text') }
      } else if (this.is('.') && this.follows('[')) {
        this.at++
      } else if (this.accept('[')) term = this.bracket(term)
      else if (this.accept('?')) term = { type: 'try', body: term, catch: null }
      else if (this.is('?//')) {
        // `.a?//1` is an alternative here; the destructuring operator only follows a pattern.
        this.tokens[this.at] = { type: 'symbol', value: '//' }
        term = { type: 'try', body: term, catch: null }
      } else if (!stopAtAs && this.accept('as')) return this.binding(term)
      else return term
    }
  }

  private follows(symbol: string): boolean {
    const next = this.tokens[this.at + 1]
    return next?.type === 'symbol' && next.value === symbol
  }

  private bracket(of: Jq): Jq {
    if (this.accept(']')) return { type: 'iterate', of }
    if (this.accept(':')) {
      const to = this.pipe()
      this.expect(']')
      return { type: 'slice', of, from: null, to }
    }
    const from = this.pipe()
    if (this.accept(':')) {
      const to = this.is(']') ? null : this.pipe()
      this.expect(']')
      return { type: 'slice', of, from, to }
    }
    this.expect(']')
    return { type: 'field', of, key: from }
  }

  private primary(): Jq {
    const token = this.token
    switch (token.type) {
      case 'number':
        this.at++
        return { type: 'literal', value: token.value }
      case 'text':
        return this.text('text')
      case 'format':
        this.at++
        return this.token.type === 'text' ? this.text(token.value) : { type: 'format', name: token.value }
      case 'field':
        this.at++
        return { type: 'field', of: identity, key: { type: 'literal', value: token.value } }
      case 'variable':
        this.at++
        return { type: 'variable', name: token.value }
      case 'name':
        return this.call(token.value)
      case 'end':
        return this.fail('an expression')
      default:
        return this.structured()
    }
  }

  private structured(): Jq {
    if (this.accept('..')) return { type: 'recurse' }
    if (this.is('.')) {
      this.at++
      return this.token.type === 'text' ? { type: 'field', of: identity, key: this.text('text') } : identity
    }
    if (this.accept('(')) {
      const body = this.pipe()
      this.expect(')')
      return body
    }
    if (this.accept('[')) {
      if (this.accept(']')) return { type: 'array', body: null }
      const body = this.pipe()
      this.expect(']')
      return { type: 'array', body }
    }
    if (this.accept('{')) return this.object()
    if (this.accept('-')) return { type: 'negate', body: this.postfix() }
    if (this.accept('if')) return this.condition()
    if (this.accept('try')) {
      const body = this.postfix()
      return { type: 'try', body, catch: this.accept('catch') ? this.postfix() : null }
    }
    if (this.is('reduce') || this.is('foreach')) return this.loop()
    if (this.is('def')) {
      const definition = this.definition()
      return { type: 'define', definition, body: this.pipe() }
    }
    return this.fail('an expression')
  }

  private loop(): Jq {
    const isReduce = this.is('reduce')
    this.at++
    const bound = this.postfix(true)
    this.expect('as')
    const pattern = this.pattern()
    this.expect('(')
    const init = this.pipe()
    this.expect(';')
    const update = this.pipe()
    const extract = !isReduce && this.accept(';') ? this.pipe() : null
    this.expect(')')
    if (isReduce) return { type: 'reduce', source: bound, pattern, init, update }
    return { type: 'foreach', source: bound, pattern, init, update, extract }
  }

  private condition(): Jq {
    const condition = this.pipe()
    this.expect('then')
    const then = this.pipe()
    if (this.accept('elif')) return { type: 'if', condition, then, else: this.condition() }
    const otherwise = this.accept('else') ? this.pipe() : identity
    this.expect('end')
    return { type: 'if', condition, then, else: otherwise }
  }

  private call(name: string): Jq {
    this.at++
    if (name === 'null') return { type: 'literal', value: null }
    if (name === 'true' || name === 'false') return { type: 'literal', value: name === 'true' }
    if (name === 'break') return { type: 'break', name: this.take('variable') }
    const args: Jq[] = []
    if (this.accept('(')) {
      do args.push(this.pipe())
      while (this.accept(';'))
      this.expect(')')
    }
    return { type: 'call', name, args }
  }

  private object(): Jq {
    const entries: { key: Jq; value: Jq }[] = []
    while (!this.accept('}')) {
      entries.push(this.entry())
      if (!this.is('}')) this.expect(',')
    }
    return { type: 'object', entries }
  }

  private entry(): { key: Jq; value: Jq } {
    const token = this.token
    if (token.type === 'variable') {
      this.at++
      const name = token.value
      const value: Jq =
        name === '__loc__' ? { type: 'literal', value: { file: '<top-level>', line: 1 } } : { type: 'variable', name }
      return { key: { type: 'literal', value: name }, value }
    }
    let key: Jq
    if (token.type === 'name' || token.type === 'keyword') {
      this.at++
      key = { type: 'literal', value: token.value }
    } else if (token.type === 'number') {
      this.at++
      key = { type: 'literal', value: String(token.value) }
    } else if (token.type === 'text') key = this.text('text')
    else if (token.type === 'format') {
      this.at++
      key = this.text(token.value)
    } else {
      this.expect('(')
      key = this.pipe()
      this.expect(')')
    }
    if (this.accept(':')) return { key, value: this.entryValue() }
    return { key, value: { type: 'field', of: identity, key } }
  }

  /** A value may be piped, but a comma ends it. */
  private entryValue(): Jq {
    const left = this.binary(0)
    return this.accept('|') ? { type: 'pipe', left, right: this.entryValue() } : left
  }

  private pattern(): Pattern {
    if (this.isA('variable')) return { type: 'variable', name: this.take('variable') }
    if (this.accept('[')) {
      const items: Pattern[] = []
      do items.push(this.pattern())
      while (this.accept(','))
      this.expect(']')
      return { type: 'array', items }
    }
    this.expect('{')
    const entries: { key: Jq; variable?: string; pattern?: Pattern }[] = []
    do {
      if (this.isA('variable')) {
        const variable = this.take('variable')
        entries.push({
          key: { type: 'literal', value: variable },
          variable,
          pattern: this.accept(':') ? this.pattern() : undefined,
        })
        continue
      }
      let key: Jq
      if (this.isA('text')) key = this.text('text')
      else if (this.accept('(')) {
        key = this.pipe()
        this.expect(')')
      } else if (this.isA('keyword')) key = { type: 'literal', value: this.keywordAsName() }
      else key = { type: 'literal', value: this.take('name') }
      this.expect(':')
      entries.push({ key, pattern: this.pattern() })
    } while (this.accept(','))
    this.expect('}')
    return { type: 'object', entries }
  }

  private text(format: string): Jq {
    const token = this.token
    if (token.type !== 'text') return this.fail('a text')
    this.at++
    if (token.parts.length === 1) return { type: 'literal', value: token.parts[0] }
    const parts = token.parts.map((part) => (typeof part === 'string' ? part : new Parser(part).program()))
    return { type: 'text', parts, format }
  }
}

export const parseJq = (source: string): Jq => new Parser(tokenize(source).tokens).program()
export const parseDefinitions = (source: string): Definition[] => new Parser(tokenize(source).tokens).definitions()
