const blank = '***'
/** Shorter values occur in ordinary text by chance; they are only blanked where a text is nothing else. */
const shortest = 4
const shortestLine = 12

/** How a secret may look once somebody has packed it: base64 at any alignment, percent- or JSON-encoded, line by line. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const percent = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'))
  const strict = percent.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
  const base64 = [0, 1, 2].flatMap((shift) => {
    const packed = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    // Characters at the edges also depend on what stands beside the secret.
    const from = shift === 0 ? 0 : shift + 1
    const whole = (shift + bytes.length) % 3 === 0 ? packed.length : packed.length - 1
    const core = packed.slice(from, whole)
    return core.length >= 8 ? [core, core.replaceAll('+', '-').replaceAll('/', '_')] : []
  })
  const lines = secret
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= shortestLine)
  return [
    secret,
    secret.trim(),
    percent,
    percent.toLowerCase(),
    strict,
    strict.replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64'),
    bytes.toString('hex'),
    ...base64,
    ...(lines.length > 1 ? lines : []),
  ]
}

/** Knows the secrets that were opened for one run and blanks them in whatever leaves it. */
export class Scrubber {
  private readonly whole = new Set<string>()
  private readonly known = new Set<string>()
  private ordered: string[] | undefined

  add(secret: string | null | undefined): void {
    if (!secret || this.whole.has(secret)) return
    this.whole.add(secret)
    for (const spelling of spellings(secret)) if (spelling.length >= shortest) this.known.add(spelling)
    this.ordered = undefined
  }

  get isEmpty(): boolean {
    return this.whole.size === 0
  }

  text(value: string): string {
    if (this.whole.has(value)) return blank
    // Longest first, so that no part of a longer one is left over.
    this.ordered ??= [...this.known].sort((a, b) => b.length - a.length)
    let clean = value
    for (const secret of this.ordered) if (clean.includes(secret)) clean = clean.replaceAll(secret, blank)
    return clean
  }

  /** A copy of any data with its texts and keys blanked. */
  value<T>(value: T): T {
    return this.isEmpty ? value : (this.walk(value, new Map()) as T)
  }

  /** An error's words. */
  error(error: unknown): string {
    return this.text(error instanceof Error ? error.message : String(error))
  }

  private walk(value: unknown, seen: Map<object, unknown>): unknown {
    if (typeof value === 'string') return this.text(value)
    if (value === null || typeof value !== 'object' || value instanceof Date) return value
    const known = seen.get(value)
    if (known !== undefined) return known
    if (value instanceof Uint8Array) return this.bytes(value)
    // Times and durations of expressions are objects with a text of their own.
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.walk(value.toJSON(), seen)
    if (Array.isArray(value)) {
      const list: unknown[] = []
      seen.set(value, list)
      for (const item of value) list.push(this.walk(item, seen))
      return list
    }
    if (value instanceof Map) {
      const map = new Map()
      seen.set(value, map)
      for (const [key, item] of value) map.set(this.walk(key, seen), this.walk(item, seen))
      return map
    }
    if (value instanceof Set) return new Set([...value].map((item) => this.walk(item, seen)))
    const copy: Record<string, unknown> =
      value instanceof Error ? { name: value.name, message: this.text(value.message) } : {}
    seen.set(value, copy)
    for (const [key, item] of Object.entries(value)) {
      Object.defineProperty(copy, this.text(key), {
        value: this.walk(item, seen),
        enumerable: true,
        writable: true,
        configurable: true,
      })
    }
    return copy
  }

  /** Files and bodies: replaced only where something is found, so that binary data stays what it is. */
  private bytes(value: Uint8Array): Uint8Array {
    const text = Buffer.from(value).toString('latin1')
    const found = [...this.known]
      .map((secret) => Buffer.from(secret).toString('latin1'))
      .filter((secret) => text.includes(secret))
    if (found.length === 0) return value
    const clean = found.sort((a, b) => b.length - a.length).reduce((at, secret) => at.replaceAll(secret, blank), text)
    return Buffer.from(clean, 'latin1')
  }
}
