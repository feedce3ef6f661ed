import { index, JqError, typeName } from './data.ts'
import type { Machine } from './evaluate.ts'
import { type Scope, withVariable } from './scope.ts'
import type { Pattern } from './syntax.ts'

type Then = (scope: Scope | null) => void

/** Gives the pattern's variables the parts of a value; keys may be computed, so there may be several outcomes. */
export function bindPattern(
  machine: Machine,
  pattern: Pattern,
  value: unknown,
  input: unknown,
  scope: Scope | null,
  then: Then,
): void {
  if (pattern.type === 'variable') return then(withVariable(pattern.name, value, scope))
  if (pattern.type === 'array') {
    if (value !== null && !Array.isArray(value)) throw new JqError(`Cannot index ${typeName(value)} with number`)
    const next = (at: number, inner: Scope | null): void => {
      const item = pattern.items[at]
      if (!item) return then(inner)
      const part = (value as unknown[] | null)?.[at] ?? null
      bindPattern(machine, item, part, input, inner, (deeper) => next(at + 1, deeper))
    }
    return next(0, scope)
  }
  const next = (at: number, inner: Scope | null): void => {
    const entry = pattern.entries[at]
    if (!entry) return then(inner)
    machine.eval(entry.key, input, undefined, inner, (key) => {
      if (typeof key !== 'string') throw new JqError(`Cannot index ${typeName(value)} with ${typeName(key)}`)
      const found = index(value, key, machine.run)
      const named = entry.variable ? withVariable(entry.variable, found, inner) : inner
      if (entry.pattern) bindPattern(machine, entry.pattern, found, input, named, (deeper) => next(at + 1, deeper))
      else next(at + 1, named)
    })
  }
  next(0, scope)
}

/** The first of the patterns that works out; variables of the others exist and are null. */
export function bindFirst(
  machine: Machine,
  patterns: Pattern[],
  value: unknown,
  input: unknown,
  scope: Scope | null,
  then: Then,
): void {
  const names = patterns.length > 1 ? patterns.flatMap(namesOf) : []
  const base = names.reduce<Scope | null>((parent, name) => withVariable(name, null, parent), scope)
  const attempt = (at: number): void => {
    try {
      bindPattern(machine, patterns[at]!, value, input, base, then)
    } catch (error) {
      if (!(error instanceof JqError) || at + 1 >= patterns.length) throw error
      attempt(at + 1)
    }
  }
  attempt(0)
}

function namesOf(pattern: Pattern): string[] {
  if (pattern.type === 'variable') return [pattern.name]
  if (pattern.type === 'array') return pattern.items.flatMap(namesOf)
  return pattern.entries.flatMap(({ variable, pattern: inner }) => [
    ...(variable ? [variable] : []),
    ...(inner ? namesOf(inner) : []),
  ])
}
