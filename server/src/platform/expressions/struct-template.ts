import { ExpressionError } from './errors.ts'
import type { Env, EvaluateOptions, Expressions } from './expressions.ts'
import { put } from './values/values.ts'

export interface StructOptions extends Omit<EvaluateOptions, 'delimiters' | 'trim'> {
  /** Which texts are templates, by the path of keys that leads to them. All, unless said otherwise. */
  only?: (path: readonly string[]) => boolean
  /**
   * What to do with a `$( )` that is no expression here: `error` (default), or `keep` it as it is, because a shell
   * script has its own meaning for it. Then only those that read a field, such as `$(params.name)`, are expressions.
   */
  unknown?: 'error' | 'keep'
}

/** Templates every text of a document and gives back a new one; what is no text stays. */
export async function templateStruct<T>(
  expressions: Expressions,
  document: T,
  env: Env,
  options: StructOptions = {},
): Promise<T> {
  const walk = async (value: unknown, path: readonly string[], depth: number): Promise<unknown> => {
    if (typeof value === 'string')
      return options.only && !options.only(path) ? value : templateText(expressions, value, env, options)
    if (
      value === null ||
      typeof value !== 'object' ||
      value instanceof Date ||
      value instanceof Uint8Array ||
      depth > 100
    )
      return value
    if (Array.isArray(value)) {
      const items: unknown[] = []
      for (const [index, item] of value.entries()) items.push(await walk(item, [...path, String(index)], depth + 1))
      return items
    }
    const made: Record<string, unknown> = {}
    for (const [key, item] of Object.entries(value)) put(made, key, await walk(item, [...path, key], depth + 1))
    return made
  }
  return (await walk(document, [], 0)) as T
}

// Delimiters of our own: both spellings become these, so that one pass does it all and no inserted value is read again.
const own = { left: '\ue000', right: '\ue001' }
const ownMarks = /[\ue000\ue001]/g

/** One text with `{{ }}` and `$( )`; inside, variables may be named without a dot: `$(username)`. */
export async function templateText(
  expressions: Expressions,
  text: string,
  env: Env,
  options: StructOptions = {},
): Promise<string> {
  if (!text.includes('{{') && !text.includes('$(')) return text
  const names = [...(options.bareVariables ?? []), ...Object.keys(env)]
  const bareVariables = [...new Set(names)].filter((name) => /^[A-Za-z_]\w*$/.test(name)).sort()
  const all: EvaluateOptions = { ...options, bareVariables, delimiters: own, trim: false }
  return expressions.render(unified(text, expressions, all, options.unknown === 'keep'), env, all)
}

function unified(text: string, expressions: Expressions, options: EvaluateOptions, keepUnknown: boolean): string {
  const source = text.replace(ownMarks, '')
  let out = ''
  let at = 0
  for (;;) {
    const found = /\{\{|\$\(/.exec(source.slice(at))
    if (!found) return out + source.slice(at)
    const open = at + found.index
    const isRound = found[0] === '$('
    const end = closing(source, open + 2, isRound)
    out += source.slice(at, open)
    if (end < 0 && !(isRound && keepUnknown)) {
      throw new ExpressionError({ message: `${found[0]} is not closed`, kind: 'syntax', language: 'gotemplate' })
    }
    const inside = source.slice(open + 2, end)
    if (isRound && keepUnknown && (end < 0 || !isOurs(inside, expressions, options))) {
      // What stands inside may still hold one of ours.
      out += '$('
      at = open + 2
      continue
    }
    out += own.left + inside + own.right
    at = end + (isRound ? 1 : 2)
  }
}

function isOurs(inside: string, expressions: Expressions, options: EvaluateOptions): boolean {
  const words = options.bareVariables!.join('|')
  const readsField = new RegExp(`(?:^|[\\s(|])(?:\\.[A-Za-z_]|(?:${words || '[]'})\\.[A-Za-z_])`).test(inside)
  return readsField && expressions.check({ template: own.left + inside + own.right }, options) === undefined
}

/** Where what was opened before `from` closes, texts and comments left aside; -1 when it does not. */
function closing(text: string, from: number, isRound: boolean): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]!
    if (character === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
    } else if (character === '`') {
      at = text.indexOf('`', at + 1)
      if (at < 0) return -1
    } else if (text.startsWith('/*', at)) {
      at = text.indexOf('*/', at + 2)
      if (at < 0) return -1
    } else if (isRound && character === '(') depth++
    else if (isRound && character === ')' && depth-- === 0) return at
    else if (!isRound && text.startsWith('}}', at)) return at
  }
  return -1
}
