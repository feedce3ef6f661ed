import { UnsignedInt } from '@marcbachmann/cel-js/evaluator'
import { ExpressionError, placeOf, ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { equal, fromHost, mapFrom, Optional, TypeValue, Uint, type Value } from '../values/values.ts'
import { type Code, ends, type Frame, type Scope } from './code.ts'
import { expandMacro } from './macros.ts'
import * as operators from './operators.ts'
import { type EnvironmentPath, environmentPathOf, follow, followOptional, PathError } from './path.ts'
import type { Registry } from './registry.ts'
import { type Node, parse, type Source, syntaxError } from './source.ts'

export interface Program {
  evaluate(env: Record<string, unknown>, run: Run): Value
  /** Names of the environment the expression reads. */
  variables: readonly string[]
}

/** What the names of types mean as values. */
const types = new Map(
  ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'list', 'map', 'null_type', 'type', 'optional_type'].map(
    (name) => [name, new TypeValue(name)],
  ),
)

class Located extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message)
  }
}

/** Turns the parser's tree into closures. Every closure pays a step, so that no expression can run for long. */
export class Compiler {
  slots = 0
  readonly variables = new Set<string>()

  constructor(
    readonly source: Source,
    readonly registry: Registry,
  ) {}

  fail(node: Node, message: string): never {
    throw syntaxError(this.source.text, message, node.pos)
  }

  /** Runs `work`, and says where it failed if it does. */
  private guarded(node: Node, work: (frame: Frame) => Value): Code {
    const offset = node.pos
    return (frame) => {
      frame.run.spend(1)
      try {
        return work(frame)
      } catch (error) {
        if (error instanceof Located || ends(error)) throw error
        if (error instanceof PathError) throw new Located(error.message, error.offset)
        if (error instanceof ValueError) throw new Located(error.message, offset)
        throw error
      }
    }
  }

  compile(node: Node, scope: Scope): Code {
    const path = this.environmentPath(node, scope)
    if (path) return path
    switch (node.op) {
      case 'value':
        return this.literal(node)
      case 'id':
        return this.identifier(node, scope)
      case '.':
      case '.?': {
        const [inner, key] = node.args as [Node, string]
        const container = this.compile(inner, scope)
        const take = node.op === '.' ? operators.select : operators.optionalSelect
        return this.guarded(node, (frame) => take(container(frame), key))
      }
      case '[]':
      case '[?]': {
        const [inner, index] = (node.args as [Node, Node]).map((part) => this.compile(part, scope)) as [Code, Code]
        const take = node.op === '[]' ? operators.select : operators.optionalSelect
        return this.guarded(node, (frame) => take(inner(frame), index(frame)))
      }
      case 'call':
        return this.call(node, scope)
      case 'rcall':
        return this.methodCall(node, scope)
      case 'list':
        return this.list(node, scope)
      case 'map':
        return this.map(node, scope)
      case '?:':
        return this.ternary(node, scope)
      case '&&':
      case '||':
        return this.logical(node, scope)
      case '!_': {
        const inner = this.compile(node.args as Node, scope)
        return this.guarded(node, (frame) => {
          const value = inner(frame)
          if (typeof value === 'boolean') return !value
          throw new ValueError(`no such overload: !${operators.shownKind(value)}`)
        })
      }
      case '-_':
        return this.negative(node, scope)
      default:
        return this.binary(node, scope)
    }
  }

  private literal(node: Node): Code {
    const value = this.literalValue(node)
    return ({ run }) => {
      run.spend(1)
      return value
    }
  }

  private literalValue(node: Node): Value {
    const raw = node.args
    if (raw instanceof UnsignedInt) return new Uint(raw.value as bigint)
    if (typeof raw === 'bigint' && raw > 9_223_372_036_854_775_807n) this.fail(node, 'The number does not fit 64 bits')
    if (raw instanceof Uint8Array) {
      // The parser keeps one byte per character; texts beyond ASCII are meant as UTF-8.
      const written = this.source.text.slice(node.start).match(/^[bB](['"])([^\\]*?)\1/)
      return written && /[^\x00-\x7f]/.test(written[2]!) ? new Uint8Array(Buffer.from(written[2]!)) : raw
    }
    return raw
  }

  private negative(node: Node, scope: Scope): Code {
    const inner = node.args as Node
    if (inner.op === 'value' && inner.args === 9_223_372_036_854_775_808n) return () => -9_223_372_036_854_775_808n
    const value = this.compile(inner, scope)
    return this.guarded(node, (frame) => operators.negate(value(frame)))
  }

  private identifier(node: Node, scope: Scope): Code {
    const name = node.args as string
    const slot = scope.get(name)
    if (slot !== undefined) {
      return (frame) => {
        frame.run.spend(1)
        return frame.locals[slot]
      }
    }
    const type = types.get(name)
    return this.guarded(node, () => {
      if (type) return type
      throw new ValueError(`undeclared reference to '${name}'`)
    })
  }

  /**
   * `a.b["c"][0]` on the environment is read without converting what surrounds it, so a large answer costs nothing
   * until a part of it is used.
   */
  private environmentPath(node: Node, scope: Scope): Code | undefined {
    const path = environmentPathOf(node, scope, (literal) => this.literalValue(literal))
    if (!path) return undefined
    const { name, steps } = path
    const isOptional = steps.some(({ optional }) => optional)
    const otherwise = this.withoutVariable(path, scope)
    return this.guarded(node, (frame) => {
      const given = Object.hasOwn(frame.env, name) ? frame.env[name] : undefined
      if (given === undefined) return otherwise(frame)
      if (!isOptional) return fromHost(follow(given, steps, frame.run), frame.run)
      const value = followOptional(given, steps, frame.run)
      return value === undefined ? Optional.none : Optional.of(fromHost(value, frame.run))
    })
  }

  /** What a path finds, as it is; for looking, not for computing. */
  rawPath(node: Node, scope: Scope): Code | undefined {
    const path = environmentPathOf(node, scope, (literal) => this.literalValue(literal))
    if (!path) return undefined
    const { name, steps } = path
    const walk = steps.some(({ optional }) => optional) ? followOptional : follow
    const otherwise = this.withoutVariable(path, scope)
    return (frame) => {
      const given = Object.hasOwn(frame.env, name) ? frame.env[name] : undefined
      return given === undefined ? otherwise(frame) : walk(given, steps, frame.run)
    }
  }

  /** The path when the caller has no such variable: the name of a type, or an error that says so. */
  private withoutVariable({ name, root, steps }: EnvironmentPath, scope: Scope): Code {
    this.variables.add(name)
    return steps.reduce<Code>(
      (inner, { key, optional, node }) => {
        const take = optional ? operators.optionalSelect : operators.select
        return this.guarded(node, (frame) => take(inner(frame), key))
      },
      this.identifier(root, scope),
    )
  }

  private list(node: Node, scope: Scope): Code {
    const items = (node.args as Node[]).map((item) => ({
      optional: this.takeOptionalMark(item),
      code: this.compile(this.withoutMark(item), scope),
    }))
    return this.guarded(node, (frame) => {
      const list: Value[] = []
      for (const { optional, code } of items) {
        const value = code(frame)
        if (!optional) list.push(value)
        else if (!(value instanceof Optional)) throw new ValueError('an entry marked with ? must be optional')
        else if (value.present) list.push(value.value)
      }
      return list
    })
  }

  private map(node: Node, scope: Scope): Code {
    const entries = (node.args as [Node, Node][]).map(([key, value]) => ({
      optional: this.takeOptionalMark(key),
      key: this.compile(this.withoutMark(key), scope),
      value: this.compile(value, scope),
    }))
    return this.guarded(node, (frame) => {
      const made: [Value, Value][] = []
      for (const entry of entries) {
        const key = entry.key(frame)
        const value = entry.value(frame)
        if (!['string', 'bigint', 'boolean'].includes(typeof key) && !(key instanceof Uint)) {
          throw new ValueError(`a map key cannot be ${operators.shownKind(key)}`)
        }
        if (made.some(([other]) => equal(other, key, frame.run)))
          throw new ValueError(`map key given twice: ${String(key)}`)
        if (!entry.optional) made.push([key, value])
        else if (!(value instanceof Optional)) throw new ValueError('an entry marked with ? must be optional')
        else if (value.present) made.push([key, value.value])
      }
      return mapFrom(made)
    })
  }

  private takeOptionalMark(node: Node): boolean {
    return this.source.optionalEntries.has(node.start)
  }

  /** The entry without the minus that stood in for its mark. */
  private withoutMark(node: Node): Node {
    if (!this.takeOptionalMark(node)) return node
    if (node.op === '-_' && node.start === node.pos) return node.args as Node
    const args = node.args as Node[]
    return { ...node, start: -1, args: [this.withoutMark(args[0]!), ...args.slice(1)] }
  }

  private ternary(node: Node, scope: Scope): Code {
    const [condition, yes, no] = (node.args as Node[]).map((part) => this.compile(part, scope)) as [Code, Code, Code]
    return this.guarded(node, (frame) => {
      const value = condition(frame)
      if (typeof value !== 'boolean')
        throw new ValueError(`the condition of ?: must be a bool, not ${operators.shownKind(value)}`)
      return value ? yes(frame) : no(frame)
    })
  }

  /** One side may fail when the other decides. */
  private logical(node: Node, scope: Scope): Code {
    const [left, right] = (node.args as Node[]).map((part) => this.compile(part, scope)) as [Code, Code]
    const decisive = node.op === '||'
    const outcome = (code: Code, frame: Frame): Value => {
      try {
        const value = code(frame)
        return typeof value === 'boolean'
          ? value
          : new ValueError(`no such overload: ${operators.shownKind(value)} ${node.op}`)
      } catch (error) {
        if (ends(error)) throw error
        return error
      }
    }
    return this.guarded(node, (frame) => {
      const first = outcome(left, frame)
      if (first === decisive) return decisive
      const second = outcome(right, frame)
      if (second === decisive) return decisive
      if (typeof first !== 'boolean') throw first
      if (typeof second !== 'boolean') throw second
      return !decisive
    })
  }

  private binary(node: Node, scope: Scope): Code {
    const [left, right] = (node.args as Node[]).map((part) => this.compile(part, scope)) as [Code, Code]
    const { op } = node
    switch (op) {
      case '==':
        return this.guarded(node, (frame) => equal(left(frame), right(frame), frame.run))
      case '!=':
        return this.guarded(node, (frame) => !equal(left(frame), right(frame), frame.run))
      case 'in':
        return this.guarded(node, (frame) => operators.contains(left(frame), right(frame), frame.run))
      case '+':
        return this.guarded(node, (frame) => operators.add(left(frame), right(frame), frame.run))
      case '-':
        return this.guarded(node, (frame) => operators.subtract(left(frame), right(frame)))
      case '*':
        return this.guarded(node, (frame) => operators.multiply(left(frame), right(frame)))
      case '/':
        return this.guarded(node, (frame) => operators.divide(left(frame), right(frame)))
      case '%':
        return this.guarded(node, (frame) => operators.remainder(left(frame), right(frame)))
      case '<':
      case '<=':
      case '>':
      case '>=':
        return this.guarded(node, (frame) => operators.order(left(frame), op, right(frame), frame.run))
      default:
        return this.fail(node, `Unknown operator ${op}`)
    }
  }

  private call(node: Node, scope: Scope): Code {
    const [name, args] = node.args as [string, Node[]]
    const macro = expandMacro(this, node, name, undefined, args, scope)
    if (macro) return this.guarded(node, macro)
    return this.invoke(node, name, args, scope)
  }

  private methodCall(node: Node, scope: Scope): Code {
    const [name, receiver, args] = node.args as [string, Node, Node[]]
    const namespace = dottedName(receiver)
    if (namespace !== undefined && !scope.has(namespace.split('.')[0]!)) {
      const full = `${namespace}.${name}`
      const macro = expandMacro(this, node, full, undefined, args, scope)
      if (macro) return this.guarded(node, macro)
      if (this.registry.knows(full)) return this.invoke(node, full, args, scope)
    }
    const macro = expandMacro(this, node, name, receiver, args, scope)
    if (macro) return this.guarded(node, macro)
    const implementation = this.registry.findMethod(name, args.length)
    if (!implementation) return this.unknown(node, `.${name}`, args.length)
    const codes = [receiver, ...args].map((arg) => this.compile(arg, scope))
    return this.applied(node, implementation, codes)
  }

  private invoke(node: Node, name: string, args: Node[], scope: Scope): Code {
    const implementation = this.registry.findFunction(name, args.length)
    if (!implementation) return this.unknown(node, name, args.length)
    return this.applied(
      node,
      implementation,
      args.map((arg) => this.compile(arg, scope)),
    )
  }

  private applied(node: Node, implementation: (run: Run, ...args: never[]) => Value, codes: Code[]): Code {
    const apply = implementation as (run: Run, ...args: Value[]) => Value
    const [first, second] = codes
    if (codes.length === 1) return this.guarded(node, (frame) => apply(frame.run, first!(frame)))
    if (codes.length === 2) return this.guarded(node, (frame) => apply(frame.run, first!(frame), second!(frame)))
    return this.guarded(node, (frame) => apply(frame.run, ...codes.map((code) => code(frame))))
  }

  private unknown(node: Node, name: string, count: number): never {
    const shown = name.replace(/^\./, '')
    if (this.registry.knows(name))
      this.fail(node, `${shown}() cannot be called with ${count} argument${count === 1 ? '' : 's'}`)
    return this.fail(node, `There is no function ${shown}()`)
  }
}

/** `a.b` for a receiver made of plain names only. */
function dottedName(node: Node): string | undefined {
  if (node.op === 'id') return node.args as string
  if (node.op !== '.') return undefined
  const [inner, name] = node.args as [Node, string]
  const before = dottedName(inner)
  return before === undefined ? undefined : `${before}.${name}`
}

/** Parses and compiles; throws an ExpressionError that says where the text is wrong. */
export function compileCel(text: string, registry: Registry): Program {
  const source = parse(text)
  const compiler = new Compiler(source, registry)
  const code = compiler.compile(source.ast, new Map())
  return {
    variables: [...compiler.variables],
    evaluate(env, run) {
      try {
        return code({ env, locals: new Array(compiler.slots), run })
      } catch (error) {
        if (!(error instanceof Located)) throw error
        const place = placeOf(text, error.offset)
        const message = `${error.message} (line ${place.line}, column ${place.column})`
        throw new ExpressionError({ message, kind: 'evaluation', language: 'cel', ...place })
      }
    },
  }
}
