import { cannotParse } from '../errors.ts'

const isBlank = (char: string | undefined) => char === ' ' || char === '\t' || char === '\n' || char === '\r'

const nameEnd = /[,():!."]|->/g

/** A cursor over a piece of request text. Every failure names what was read, where, and what was expected. */
export class Scanner {
  pos = 0
  private unclosed = false

  constructor(
    readonly text: string,
    readonly what: string,
  ) {}

  get done(): boolean {
    return this.pos >= this.text.length
  }

  peek(token: string): boolean {
    return this.text.startsWith(token, this.pos)
  }

  eat(token: string): boolean {
    if (!this.peek(token)) return false
    this.pos += token.length
    return true
  }

  expect(token: string) {
    if (!this.eat(token)) this.fail(`"${token}"`)
  }

  blanks() {
    while (isBlank(this.text[this.pos])) this.pos++
  }

  /** Matches a sticky expression here and moves behind it. */
  match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.pos
    const found = expression.exec(this.text)
    if (!found) return undefined
    this.pos = expression.lastIndex
    return found
  }

  /** Reads up to the first match of a global expression, or to the end. */
  upTo(expression: RegExp): string {
    const start = this.pos
    expression.lastIndex = start
    this.pos = expression.exec(this.text)?.index ?? this.text.length
    return this.text.slice(start, this.pos)
  }

  /**
   * "quoted with \" and \\ inside"; undefined, without moving, when there is no whole quoted text here. With `ends`, only
   * a quote before one of these characters closes it: clients quote list items without escaping quotes inside.
   */
  quoted(ends?: string): string | undefined {
    // Where one quote was never closed none behind it is; looking again each time would take quadratic time.
    if (this.unclosed || !this.peek('"')) return undefined
    const start = this.pos
    let out = ''
    for (let i = start + 1; i < this.text.length; i++) {
      const char = this.text[i]!
      if (char === '\\' && i + 1 < this.text.length) out += this.text[++i]
      else if (char === '"') {
        this.pos = i + 1
        if (ends === undefined || this.done || ends.includes(this.text[this.pos]!)) return out
        out += char
      } else out += char
    }
    this.pos = start
    this.unclosed = true
    return undefined
  }

  /** A column, relation or alias: quoted, or everything up to a character that means something. */
  name(expecting: string): string {
    const quoted = this.quoted()
    if (quoted !== undefined) return quoted
    const plain = this.upTo(nameEnd).trim()
    if (plain === '') this.fail(expecting)
    return plain
  }

  fail(expecting: string): never {
    throw cannotParse(this.what, this.text, this.pos + 1, expecting)
  }
}
