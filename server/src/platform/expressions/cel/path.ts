import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { getKey, isMap, type Value } from '../values/values.ts'
import type { Scope } from './code.ts'
import { lookup, select } from './operators.ts'
import type { Node } from './source.ts'

/** One step of `a.b`, `a["b"]`, `a.?b`, `a[?0]`. */
export interface Step {
  key: Value
  optional: boolean
  node: Node
}

export interface EnvironmentPath {
  root: Node
  name: string
  steps: Step[]
}

/** A path of fixed keys into the caller's values; undefined for anything else, also when a loop's variable has the name. */
export function environmentPathOf(
  node: Node,
  scope: Scope,
  literal: (node: Node) => Value,
): EnvironmentPath | undefined {
  const steps: Step[] = []
  let root = node
  while (root.op === '.' || root.op === '[]' || root.op === '.?' || root.op === '[?]') {
    const [inner, key] = root.args as [Node, string | Node]
    if (typeof key !== 'string' && key.op !== 'value') return undefined
    steps.unshift({ key: typeof key === 'string' ? key : literal(key), optional: root.op.includes('?'), node: root })
    root = inner
  }
  if (root.op !== 'id' || scope.has(root.args as string)) return undefined
  return { root, name: root.args as string, steps }
}

/** Where a path failed. */
export class PathError extends ValueError {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message)
  }
}

/** Follows the steps through values as they are, without converting what lies beside the path. */
export function follow(start: unknown, steps: readonly Step[], run: Run): unknown {
  let value = start
  let at = 0
  try {
    for (; at < steps.length; at++) {
      run.spend(1)
      const { key } = steps[at]!
      const found = typeof key === 'string' && isMap(value) ? getKey(value, key) : undefined
      value = found === undefined ? select(value, key) : found
    }
    return value
  } catch (error) {
    throw error instanceof ValueError ? new PathError(error.message, steps[at]!.node.pos) : error
  }
}

/** The same for a path with optional steps; undefined when one of them, or one behind them, leads nowhere. */
export function followOptional(start: unknown, steps: readonly Step[], run: Run): unknown {
  const first = steps.findIndex(({ optional }) => optional)
  let value = follow(start, steps.slice(0, first), run)
  for (const { key, node } of steps.slice(first)) {
    run.spend(1)
    if (value === null || value === undefined) return undefined
    try {
      value = lookup(value, key)
    } catch (error) {
      throw error instanceof ValueError ? new PathError(error.message, node.pos) : error
    }
  }
  return value
}
