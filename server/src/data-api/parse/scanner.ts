import { cannotParse } from '../errors.ts'

const isBlank = (char: string | undefined) => char === ' ' || char === '\t' || char === '\n' || char === '\r'

/** A cursor over a piece of request text. Every failure names what was read, where, and what was expected. */
export class Scanner {
  pos = 0

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

  /** Reads up to the first place where `stops` says so. */
  until(stops: (scanner: Scanner) => boolean): string {
    const start = this.pos
    while (!this.done && !stops(this)) this.pos++
    return this.text.slice(start, this.pos)
  }

  /** "quoted with \" and \\ inside"; undefined, without moving, when there is no whole quoted text here. */
  quoted(): string | undefined {
    if (!this.peek('"')) return undefined
    const start = this.pos
    let out = ''
    for (let i = start + 1; i < this.text.length; i++) {
      const char = this.text[i]!
      if (char === '\\' && i + 1 < this.text.length) out += this.text[++i]
      else if (char === '"') {
        this.pos = i + 1
        return out
      } else out += char
    }
    return undefined
  }

  /** A column, relation or alias: quoted, or everything up to a character that means something. */
  name(expecting: string): string {
    const quoted = this.quoted()
    if (quoted !== undefined) return quoted
    const plain = this.until((s) => ',():!."'.includes(s.text[s.pos]!) || s.peek('->')).trim()
    if (plain === '') this.fail(expecting)
    return plain
  }

  fail(expecting: string): never {
    throw cannotParse(this.what, this.text, this.pos + 1, expecting)
  }
}
