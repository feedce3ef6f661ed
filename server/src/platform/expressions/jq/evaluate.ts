import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { put } from '../values/values.ts'
import { arithmetic } from './arithmetic.ts'
import { deletePaths, getPath, index, isObject, JqError, type Path, setPath, typeName, withValue } from './data.ts'
import { formatted } from './formats.ts'
import { bindFirst, bindPattern } from './patterns.ts'
import { type Closure, find, type Scope, withVariable } from './scope.ts'
import type { Definition, Jq } from './syntax.ts'

/** `path` is undefined when nobody asked for paths, null when the value has none. */
export type Emit = (value: unknown, path: Path | null | undefined) => void

class Break extends Error {
  constructor(readonly target: Scope) {
    super('break')
  }
}

export interface NativeCall {
  input: unknown
  path: Path | null | undefined
  args: Closure[]
  emit: Emit
  machine: Machine
  run: Run
}

/** Functions that are given their arguments as filters, and those that are given every combination of values. */
export interface Natives {
  filters: Record<string, (call: NativeCall) => void>
  values: Record<string, (run: Run, input: unknown, ...args: unknown[]) => unknown>
  prelude: ReadonlyMap<string, Definition>
}

export class Machine {
  constructor(
    readonly run: Run,
    private readonly natives: Natives,
  ) {}

  /** Every value of a filter. */
  all(closure: Closure, input: unknown): unknown[] {
    const values: unknown[] = []
    this.eval(closure.body, input, undefined, closure.scope, (value) => values.push(value))
    return values
  }

  paths(closure: Closure, input: unknown, from: Path = []): Path[] {
    const found: Path[] = []
    this.eval(closure.body, input, from, closure.scope, (_, path) => found.push(this.valid(path)))
    return found
  }

  private valid(path: Path | null | undefined): Path {
    if (!path) throw new JqError('Invalid path expression')
    return path
  }

  /** The path of a step taken from here. */
  private step(path: Path | null | undefined, key: unknown, value: unknown): Path | null | undefined {
    if (path === undefined) return undefined
    if (path === null)
      throw new JqError(
        `Invalid path expression near attempt to access element ${JSON.stringify(key)} of ${JSON.stringify(value)?.slice(0, 30)}`,
      )
    return [...path, key]
  }

  eval(node: Jq, input: unknown, path: Path | null | undefined, scope: Scope | null, emit: Emit): void {
    this.run.spend(2)
    // Values that are made rather than found have no path.
    const made = (value: unknown) => emit(value, path === undefined ? undefined : null)
    const each = (part: Jq, then: (value: unknown) => void) => this.eval(part, input, undefined, scope, then)
    switch (node.type) {
      case 'identity':
        return emit(input, path)
      case 'literal':
        return made(node.value)
      case 'recurse':
        return this.recurse(input, path, emit)
      case 'variable':
        return made(this.variable(node.name, scope))
      case 'field':
        return this.eval(node.of, input, path, scope, (value, at) =>
          each(node.key, (key) => emit(index(value, key, this.run), this.step(at, key, value))),
        )
      case 'slice':
        return this.eval(node.of, input, path, scope, (value, at) =>
          this.optional(node.to, each, (end) =>
            this.optional(node.from, each, (start) => {
              const key = { start, end }
              emit(index(value, key, this.run), this.step(at, key, value))
            }),
          ),
        )
      case 'iterate':
        return this.eval(node.of, input, path, scope, (value, at) => this.iterate(value, at, emit))
      case 'array': {
        const items: unknown[] = []
        if (node.body) each(node.body, (value) => items.push(value))
        return made(items)
      }
      case 'object':
        return this.object(node.entries, 0, {}, input, scope, made)
      case 'text':
        return this.text(node.parts, 0, '', node.format, input, scope, made)
      case 'format':
        return made(formatted(node.name, input, this.run))
      case 'negate':
        return each(node.body, (value) => {
          if (typeof value !== 'number') throw new JqError(`${withValue(value)} cannot be negated`)
          made(-value)
        })
      case 'pipe':
        return this.eval(node.left, input, path, scope, (value, at) => this.eval(node.right, value, at, scope, emit))
      case 'comma':
        this.eval(node.left, input, path, scope, emit)
        return this.eval(node.right, input, path, scope, emit)
      case 'binary':
        return each(node.right, (right) =>
          each(node.left, (left) => made(arithmetic(node.operator, left, right, this.run))),
        )
      case 'and':
      case 'or': {
        const decisive = node.type === 'or'
        return each(node.left, (left) => {
          if (truth(left) === decisive) return made(decisive)
          each(node.right, (right) => made(truth(right)))
        })
      }
      case 'alternative':
        return this.alternative(node.left, node.right, input, path, scope, emit)
      case 'assign':
        return this.assign(node, input, scope, made)
      case 'if':
        return each(node.condition, (value) =>
          this.eval(truth(value) ? node.then : node.else, input, path, scope, emit),
        )
      case 'try':
        return this.attempt(node, input, path, scope, emit)
      case 'reduce': {
        this.eval(node.init, input, path, scope, (start, startPath) => {
          let state: { value: unknown; path: Path | null | undefined } | undefined = { value: start, path: startPath }
          each(node.source, (value) =>
            bindPattern(this, node.pattern, value, input, scope, (inner) => {
              const before = state ?? { value: null, path: path === undefined ? undefined : null }
              state = undefined
              this.eval(
                node.update,
                before.value,
                before.path,
                inner,
                (next, at) => (state = { value: next, path: at }),
              )
            }),
          )
          if (state) emit(state.value, state.path)
        })
        return
      }
      case 'foreach':
        return this.eval(node.init, input, path, scope, (start, startPath) => {
          let state = { value: start, path: startPath }
          each(node.source, (value) =>
            bindPattern(this, node.pattern, value, input, scope, (inner) => {
              this.eval(node.update, state.value, state.path, inner, (next, at) => {
                state = { value: next, path: at }
                if (node.extract) this.eval(node.extract, next, at, inner, emit)
                else emit(next, at)
              })
            }),
          )
        })
      case 'bind':
        return each(node.source, (value) =>
          bindFirst(this, node.patterns, value, input, scope, (inner) =>
            this.eval(node.body, input, path, inner, emit),
          ),
        )
      case 'label': {
        const inner: Scope = { name: `*${node.name}`, bound: { kind: 'label' }, parent: scope }
        try {
          return this.eval(node.body, input, path, inner, emit)
        } catch (error) {
          if (error instanceof Break && error.target === inner) return
          throw error
        }
      }
      case 'break': {
        const target = find(scope, `*${node.name}`)
        if (!target) throw new ValueError(`jq: $*label-${node.name} is not defined`)
        throw new Break(target)
      }
      case 'define': {
        const { definition } = node
        const inner: Scope = {
          name: `${definition.name}/${definition.params.length}`,
          bound: { kind: 'definition', definition },
          parent: scope,
        }
        return this.eval(node.body, input, path, inner, emit)
      }
      case 'call':
        return this.call(node.name, node.args, input, path, scope, emit)
    }
  }

  private optional(
    node: Jq | null,
    each: (part: Jq, then: (value: unknown) => void) => void,
    then: (value: unknown) => void,
  ): void {
    if (node) each(node, then)
    else then(null)
  }

  private recurse(value: unknown, path: Path | null | undefined, emit: Emit): void {
    emit(value, path)
    if (Array.isArray(value) || isObject(value)) this.iterate(value, path, (item, at) => this.recurse(item, at, emit))
  }

  iterate(value: unknown, path: Path | null | undefined, emit: Emit): void {
    if (!Array.isArray(value) && !isObject(value)) {
      const shown = value === null ? '' : ` (${JSON.stringify(value)?.slice(0, 11)})`
      throw new JqError(`Cannot iterate over ${typeName(value)}${shown}`)
    }
    const keys: readonly (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value)
    for (const key of keys) {
      this.run.spend(1)
      emit((value as Record<string | number, unknown>)[key], this.step(path, key, value))
    }
  }

  private variable(name: string, scope: Scope | null): unknown {
    const found = find(scope, `$${name}`)
    if (found?.bound.kind === 'value') return found.bound.value
    if (name === 'ENV') return {}
    if (name === '__loc__') return { file: '<top-level>', line: 1 }
    throw new ValueError(`jq: $${name} is not defined`)
  }

  private object(
    entries: { key: Jq; value: Jq }[],
    at: number,
    made: Record<string, unknown>,
    input: unknown,
    scope: Scope | null,
    emit: (value: unknown) => void,
  ): void {
    const entry = entries[at]
    if (!entry) return emit(made)
    this.eval(entry.key, input, undefined, scope, (key) => {
      if (typeof key !== 'string') throw new JqError(`Object keys must be strings`)
      this.eval(entry.value, input, undefined, scope, (value) => {
        const next = { ...made }
        put(next, key, value)
        this.object(entries, at + 1, next, input, scope, emit)
      })
    })
  }

  private text(
    parts: (string | Jq)[],
    at: number,
    made: string,
    format: string,
    input: unknown,
    scope: Scope | null,
    emit: (value: unknown) => void,
  ): void {
    const part = parts[at]
    if (part === undefined) return emit(made)
    if (typeof part === 'string') return this.text(parts, at + 1, made + part, format, input, scope, emit)
    this.eval(part, input, undefined, scope, (value) => {
      const next = made + formatted(format, value, this.run)
      this.run.allowText(next.length)
      this.text(parts, at + 1, next, format, input, scope, emit)
    })
  }

  private alternative(
    left: Jq,
    right: Jq,
    input: unknown,
    path: Path | null | undefined,
    scope: Scope | null,
    emit: Emit,
  ): void {
    let some = false
    try {
      this.eval(left, input, path, scope, (value, at) => {
        if (!truth(value)) return
        some = true
        // An error behind the first value belongs to what follows, not to the left side.
        try {
          emit(value, at)
        } catch (error) {
          throw error instanceof JqError ? new Passing(error) : error
        }
      })
    } catch (error) {
      if (error instanceof Passing) throw error.cause
      if (!(error instanceof JqError)) throw error
    }
    if (!some) this.eval(right, input, path, scope, emit)
  }

  private attempt(
    node: { body: Jq; catch: Jq | null },
    input: unknown,
    path: Path | null | undefined,
    scope: Scope | null,
    emit: Emit,
  ): void {
    try {
      this.eval(node.body, input, path, scope, (value, at) => {
        try {
          emit(value, at)
        } catch (error) {
          throw error instanceof JqError ? new Passing(error) : error
        }
      })
    } catch (error) {
      if (error instanceof Passing) throw error.cause
      if (!(error instanceof JqError)) throw error
      if (node.catch) this.eval(node.catch, error.value, path === undefined ? undefined : null, scope, emit)
    }
  }

  private assign(
    node: { operator: string; left: Jq; right: Jq },
    input: unknown,
    scope: Scope | null,
    made: (value: unknown) => void,
  ): void {
    const { operator } = node
    const paths = this.paths({ body: node.left, scope }, input)
    if (operator === '|=') return made(this.update(input, paths, { body: node.right, scope }))
    this.eval(node.right, input, undefined, scope, (right) => {
      made(
        paths.reduce((at: unknown, path) => {
          const old = getPath(at, path, this.run)
          const value =
            operator === '='
              ? right
              : operator === '//='
                ? truth(old)
                  ? old
                  : right
                : arithmetic(operator.slice(0, -1), old, right, this.run)
          return setPath(at, path, value, this.run)
        }, input),
      )
    })
  }

  /** The first value the filter gives for what is there; paths for which it gives none are removed. */
  update(input: unknown, paths: Path[], closure: Closure): unknown {
    const gone: Path[] = []
    const updated = paths.reduce((at: unknown, path) => {
      const next = this.first(closure, getPath(at, path, this.run))
      if (next) return setPath(at, path, next.value, this.run)
      gone.push(path)
      return at
    }, input)
    return gone.length > 0 ? deletePaths(updated, gone, this.run) : updated
  }

  first(closure: Closure, input: unknown): { value: unknown } | undefined {
    const stop: Scope = { name: '*first', bound: { kind: 'label' }, parent: null }
    let found: { value: unknown } | undefined
    try {
      this.eval(closure.body, input, undefined, closure.scope, (value) => {
        found = { value }
        throw new Break(stop)
      })
    } catch (error) {
      if (!(error instanceof Break) || error.target !== stop) throw error
    }
    return found
  }

  /** Passes on values until `keep` says no more. */
  until(
    closure: Closure,
    input: unknown,
    path: Path | null | undefined,
    keep: (value: unknown, path: Path | null | undefined) => boolean,
  ): void {
    const stop: Scope = { name: '*until', bound: { kind: 'label' }, parent: null }
    try {
      this.eval(closure.body, input, path, closure.scope, (value, at) => {
        if (!keep(value, at)) throw new Break(stop)
      })
    } catch (error) {
      if (!(error instanceof Break) || error.target !== stop) throw error
    }
  }

  private call(
    name: string,
    args: Jq[],
    input: unknown,
    path: Path | null | undefined,
    scope: Scope | null,
    emit: Emit,
  ): void {
    const key = `${name}/${args.length}`
    const found = find(scope, key)
    if (found?.bound.kind === 'closure') {
      const { body, scope: own } = found.bound.closure
      return this.eval(body, input, path, own, emit)
    }
    const closures = args.map((body) => ({ body, scope }))
    if (found?.bound.kind === 'definition')
      return this.apply(found.bound.definition, found, closures, input, path, emit)
    const native = this.natives.filters[key]
    if (native) return native({ input, path, args: closures, emit, machine: this, run: this.run })
    const pure = this.natives.values[key]
    if (pure) {
      return this.combinations(closures, 0, [], input, (values) =>
        emit(pure(this.run, input, ...values), path === undefined ? undefined : null),
      )
    }
    const known = this.natives.prelude.get(key)
    if (!known) throw new ValueError(`jq: ${key} is not defined`)
    this.apply(known, null, closures, input, path, emit)
  }

  private combinations(
    closures: Closure[],
    at: number,
    values: unknown[],
    input: unknown,
    then: (values: unknown[]) => void,
  ): void {
    const closure = closures[at]
    if (!closure) return then(values)
    this.eval(closure.body, input, undefined, closure.scope, (value) =>
      this.combinations(closures, at + 1, [...values, value], input, then),
    )
  }

  private apply(
    definition: Definition,
    home: Scope | null,
    args: Closure[],
    input: unknown,
    path: Path | null | undefined,
    emit: Emit,
  ): void {
    const run = (at: number, scope: Scope | null): void => {
      const param = definition.params[at]
      if (param === undefined) return this.eval(definition.body, input, path, scope, emit)
      const closure = args[at]!
      if (!param.startsWith('$'))
        return run(at + 1, { name: `${param}/0`, bound: { kind: 'closure', closure }, parent: scope })
      this.eval(closure.body, input, undefined, closure.scope, (value) => {
        const literal: Closure = { body: { type: 'literal', value }, scope: null }
        const asFilter: Scope = {
          name: `${param.slice(1)}/0`,
          bound: { kind: 'closure', closure: literal },
          parent: scope,
        }
        run(at + 1, withVariable(param.slice(1), value, asFilter))
      })
    }
    run(0, home)
  }
}

/** Carries an error of a later stage past the `try` it does not belong to. */
class Passing extends Error {
  constructor(override readonly cause: JqError) {
    super('passing')
  }
}

export const truth = (value: unknown): boolean => value !== null && value !== false && value !== undefined
