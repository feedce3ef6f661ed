import type { Run } from '../run.ts'
import { goText } from '../values/print.ts'
import { toHost } from '../values/values.ts'
import { compileCel, type Program } from './compile.ts'
import { productRegistry } from './product.ts'
import type { Registry } from './registry.ts'
import { standardRegistry } from './standard.ts'

/** `product` knows every function; `plain` is the language with its usual extensions only. */
export type CelKind = 'product' | 'plain'

const standard = standardRegistry()
export const registries: Record<CelKind, Registry> = { plain: standard, product: productRegistry(standard) }

const programs: Record<CelKind, Map<string, Program>> = { plain: new Map(), product: new Map() }
const mostPrograms = 2_000

/** Compiled programs are kept; the one used longest ago goes first. */
export function celProgram(text: string, kind: CelKind): Program {
  const cache = programs[kind]
  const known = cache.get(text)
  if (known) {
    cache.delete(text)
    cache.set(text, known)
    return known
  }
  const program = compileCel(text, registries[kind])
  if (cache.size >= mostPrograms) cache.delete(cache.keys().next().value!)
  cache.set(text, program)
  return program
}

export interface Evaluated {
  /** JSON: numbers, texts, booleans, lists, objects, null. */
  value: unknown
  /** The same the way Go prints it: `[a b]`, `<nil>`, `1h0m0s`. */
  text: string
}

export function evaluateCel(text: string, env: Record<string, unknown>, run: Run, kind: CelKind): Evaluated {
  const value = celProgram(text, kind).evaluate(env, run)
  return { value: toHost(value), text: goText(value) }
}
