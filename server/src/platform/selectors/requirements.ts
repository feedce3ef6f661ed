/** One condition of a Kubernetes-style selector. */
export interface Requirement {
  key: string
  operator: 'in' | 'notin' | 'exists' | 'missing' | 'gt' | 'lt'
  values: string[]
}

/** What is wrong with a selector, for the person who wrote it. */
export class SelectorError extends Error {
  override name = 'SelectorError'
}

const wrong = (text: string, at: number, message: string): never => {
  throw new SelectorError(
    `The selector "${text.length > 200 ? `${text.slice(0, 200)}…` : text}" is wrong at ${at + 1}: ${message}`,
  )
}

const most = 200

/**
 * `a=b, c!=d, e in (x, y), f notin (z), g, !h, n>3`. Keys and values may be quoted; commas separate conditions, and all
 * of them must hold.
 */
export function parseRequirements(text: string): Requirement[] {
  const found: Requirement[] = []
  let at = 0
  const skip = () => {
    while (/\s/.test(text[at] ?? '')) at++
  }
  const word = (what: string, stops: RegExp): string => {
    skip()
    if (text[at] === '"' || text[at] === "'") {
      const end = text.indexOf(text[at]!, at + 1)
      if (end < 0) wrong(text, at, 'a quote is not closed')
      const quoted = text.slice(at + 1, end)
      at = end + 1
      return quoted
    }
    const start = at
    while (at < text.length && !stops.test(text[at]!)) at++
    if (at === start && what === 'key') wrong(text, at, 'a key is expected')
    return text.slice(start, at)
  }
  const list = (): string[] => {
    skip()
    if (text[at] !== '(') wrong(text, at, '"(" is expected')
    at++
    const values: string[] = []
    for (;;) {
      values.push(word('value', /[\s,()]/))
      skip()
      if (text[at] === ')') break
      if (text[at] !== ',') wrong(text, at, '"," or ")" is expected')
      at++
    }
    at++
    return values
  }
  const requirement = (): Requirement => {
    skip()
    if (text[at] === '!') {
      at++
      return { key: word('key', /[\s,()=!<>]/), operator: 'missing', values: [] }
    }
    const key = word('key', /[\s,()=!<>]/)
    skip()
    const operator = /^(==|!=|=|<|>|notin\b|in\b)/.exec(text.slice(at, at + 6))?.[1]
    if (operator === undefined) return { key, operator: 'exists', values: [] }
    at += operator.length
    switch (operator) {
      case 'in':
      case 'notin':
        return { key, operator, values: list() }
      case '<':
      case '>': {
        const limit = word('value', /[\s,]/)
        if (!/^-?\d+(\.\d+)?$/.test(limit)) wrong(text, at, `a number is expected after ${operator}`)
        return { key, operator: operator === '<' ? 'lt' : 'gt', values: [limit] }
      }
      default:
        return { key, operator: operator === '!=' ? 'notin' : 'in', values: [word('value', /[\s,]/)] }
    }
  }
  skip()
  if (at === text.length) return found
  for (;;) {
    found.push(requirement())
    if (found.length > most) wrong(text, at, `more than ${most} conditions`)
    skip()
    if (at === text.length) return found
    if (text[at] !== ',') wrong(text, at, '"," is expected')
    at++
  }
}

/** Whether one value, or its absence, meets a condition. */
export function meets({ operator, values }: Requirement, value: string | undefined): boolean {
  switch (operator) {
    case 'exists':
      return value !== undefined
    case 'missing':
      return value === undefined
    case 'in':
      return value !== undefined && values.includes(value)
    case 'notin':
      return value === undefined || !values.includes(value)
    case 'gt':
    case 'lt': {
      if (value === undefined || !/^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return false
      return operator === 'gt' ? Number(value) > Number(values[0]) : Number(value) < Number(values[0])
    }
  }
}
