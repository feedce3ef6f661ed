import type { Definition, Jq } from './syntax.ts'

/** A filter together with where its names are looked up. */
export interface Closure {
  body: Jq
  scope: Scope | null
}
export type Bound =
  | { kind: 'value'; value: unknown }
  | { kind: 'closure'; closure: Closure }
  | { kind: 'definition'; definition: Definition }
  | { kind: 'label' }

/** Names from the inside out: `$x`, `f/1`, `*label`. */
export interface Scope {
  name: string
  bound: Bound
  parent: Scope | null
}

export function find(scope: Scope | null, name: string): Scope | undefined {
  for (let at = scope; at; at = at.parent) if (at.name === name) return at
  return undefined
}

/** One more name around a scope. */
export const withVariable = (name: string, value: unknown, parent: Scope | null): Scope => ({
  name: `$${name}`,
  bound: { kind: 'value', value },
  parent,
})
