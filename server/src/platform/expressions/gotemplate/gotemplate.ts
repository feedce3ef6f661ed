import { ExpressionError } from '../errors.ts'
import type { Run } from '../run.ts'
import type { Value } from '../values/values.ts'
import { execute, type Functions } from './execute.ts'
import { productFunctions } from './functions.ts'
import type { Delimiters } from './lexer.ts'
import { parseTemplate } from './parser.ts'
import type { Template } from './syntax.ts'

export const longestTemplate = 512 * 1024
export const braces: Delimiters = { left: '{{', right: '}}' }

const header = /^#\s*gotemplate:([^\n]*)(?:\n|$)/

/** A first line `# gotemplate: left-delim=$[[ right-delim=]]` sets the delimiters and is not part of the text. */
export function readHeader(source: string, otherwise: Delimiters = braces): { source: string; delimiters: Delimiters } {
  const found = header.exec(source)
  if (!found) return { source, delimiters: otherwise }
  const option = (name: string) => new RegExp(`${name}=(\\S+)`).exec(found[1]!)?.[1]
  const delimiters = { left: option('left-delim') ?? otherwise.left, right: option('right-delim') ?? otherwise.right }
  return { source: source.slice(found[0].length), delimiters }
}

export interface TemplateOptions {
  delimiters?: Delimiters
  /** Variables may be written without a dot, as in `$(username)`. */
  bareVariables?: readonly string[]
  /** Blanks around the result are removed, unless told otherwise. */
  trim?: boolean
}

const parsed = new Map<string, Template>()

export function compileTemplate(text: string, options: TemplateOptions = {}): Template {
  if (text.length > longestTemplate) {
    throw new ExpressionError({
      message: `The template is longer than ${longestTemplate} characters`,
      kind: 'limit',
      language: 'gotemplate',
    })
  }
  const { source, delimiters } = readHeader(text, options.delimiters)
  const bare = options.bareVariables ?? []
  const key = JSON.stringify([delimiters.left, delimiters.right, bare, source])
  const known = parsed.get(key)
  if (known) return known
  const template = parseTemplate(source, delimiters, (name) => productFunctions.has(name) || bare.includes(name))
  if (parsed.size >= 1_000) parsed.delete(parsed.keys().next().value!)
  parsed.set(key, template)
  return template
}

/** Runs a template. */
export function runTemplate(
  text: string,
  env: Record<string, unknown>,
  run: Run,
  options: TemplateOptions = {},
): string {
  run.spendText(text.length)
  const made = execute(compileTemplate(text, options), env, withBare(env, options.bareVariables), run)
  return options.trim === false ? made : made.trim()
}

function withBare(env: Record<string, Value>, names: readonly string[] | undefined): Functions {
  if (!names || names.length === 0) return productFunctions
  const bare = new Set(names)
  return {
    get: (name) => {
      const known = productFunctions.get(name)
      if (!bare.has(name)) return known
      // A function of the same name is still meant when it is given arguments.
      return (run, ...args) => (args.length > 0 && known ? known(run, ...args) : env[name])
    },
  }
}
