import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { compare, entriesOf, isMap, mapFrom, Optional, sizeOfMap, type Value } from '../values/values.ts'
import { type Code, ends, type Frame, type Scope } from './code.ts'
import type { Compiler } from './compile.ts'
import { lookup, shownKind } from './operators.ts'
import type { Node } from './source.ts'

type Expand = (call: { compiler: Compiler; node: Node; receiver: Node; args: Node[]; scope: Scope }) => Code

function variable(compiler: Compiler, node: Node, scope: Map<string, number>): number {
  if (node.op !== 'id') compiler.fail(node, 'A variable name is expected here')
  const slot = compiler.slots++
  scope.set(node.args as string, slot)
  return slot
}

/** What a loop runs over: the items of a list, or the keys of a map. */
function items(range: Value, run: Run): readonly Value[] {
  const found = range instanceof Optional && range.present ? range.value : range
  const list = Array.isArray(found) ? found : isMap(found) ? entriesOf(found).map(([key]) => key) : undefined
  if (!list) throw new ValueError(`cannot go through ${shownKind(found)}; a list or map is needed`)
  run.spend(list.length)
  return list
}

/** Index and item of a list, key and value of a map. */
function pairs(range: Value, run: Run): [Value, Value][] {
  if (Array.isArray(range)) {
    run.spend(range.length)
    return range.map((item, index) => [BigInt(index), item])
  }
  if (!isMap(range)) throw new ValueError(`cannot go through ${shownKind(range)}; a list or map is needed`)
  run.spend(sizeOfMap(range))
  return entriesOf(range)
}

function truth(value: Value): boolean {
  if (typeof value !== 'boolean') throw new ValueError(`the condition must be a bool, not ${shownKind(value)}`)
  return value
}

interface Loop {
  range: Code
  /** Calls `step` for every round with the loop's variables set; it returns true to stop. */
  each(frame: Frame, step: (item: [Value, Value]) => boolean | void): void
  body: Code[]
}

/** One or two variables, then bodies that see them. */
function loop(compiler: Compiler, receiver: Node, args: Node[], scope: Scope, variables: 1 | 2): Loop {
  const range = compiler.compile(receiver, scope)
  const inner = new Map(scope)
  const slots = args.slice(0, variables).map((node) => variable(compiler, node, inner))
  const body = args.slice(variables).map((node) => compiler.compile(node, inner))
  const each: Loop['each'] = (frame, step) => {
    const over = range(frame)
    const rounds =
      variables === 2 ? pairs(over, frame.run) : items(over, frame.run).map((item): [Value, Value] => [item, item])
    for (const round of rounds) {
      frame.locals[slots[0]!] = round[0]
      if (variables === 2) frame.locals[slots[1]!] = round[1]
      if (step(round) === true) return
    }
  }
  return { range, each, body }
}

/** `all` and `exists`: an error counts only when no other round decides. */
function quantifier(decisive: boolean, variables: 1 | 2): Expand {
  return ({ compiler, receiver, args, scope }) => {
    const { each, body } = loop(compiler, receiver, args, scope, variables)
    const condition = body[0]!
    return (frame) => {
      let failure: unknown
      let result = !decisive
      each(frame, () => {
        try {
          if (truth(condition(frame)) !== decisive) return false
          result = decisive
          return true
        } catch (error) {
          if (ends(error)) throw error
          failure ??= error
          return false
        }
      })
      if (result !== decisive && failure) throw failure
      return result
    }
  }
}

function existsOne(variables: 1 | 2): Expand {
  return ({ compiler, receiver, args, scope }) => {
    const { each, body } = loop(compiler, receiver, args, scope, variables)
    return (frame) => {
      let count = 0
      each(frame, () => void (truth(body[0]!(frame)) && count++))
      return count === 1
    }
  }
}

/** `map`, `filter` and their two-variable forms: bodies are an optional condition and what to make. */
function collecting(variables: 1 | 2, kind: 'filter' | 'list' | 'map' | 'entry'): Expand {
  return ({ compiler, receiver, args, scope }) => {
    const { each, body } = loop(compiler, receiver, args, scope, variables)
    const make = kind === 'filter' ? undefined : body.at(-1)!
    const condition = kind === 'filter' || body.length === 2 ? body[0] : undefined
    return (frame) => {
      const list: Value[] = []
      const entries: [Value, Value][] = []
      each(frame, ([key, item]) => {
        if (condition && !truth(condition(frame))) return
        if (!make) list.push(item)
        else if (kind === 'list') list.push(make(frame))
        else if (kind === 'map') entries.push([key, make(frame)])
        else {
          const made = make(frame)
          if (!isMap(made)) throw new ValueError('transformMapEntry must make a map with one entry')
          entries.push(...entriesOf(made))
        }
      })
      return kind === 'map' || kind === 'entry' ? mapFrom(entries) : list
    }
  }
}

const has: Expand = ({ compiler, node, args, scope }) => {
  const target = args[0]!
  if (target.op !== '.' && target.op !== '.?') compiler.fail(node, 'has() needs a field, such as has(a.b)')
  const [inner, key] = target.args as [Node, string]
  // Looking at what is there needs no copy of it.
  const container = compiler.rawPath(inner, scope) ?? compiler.compile(inner, scope)
  return (frame) => {
    let value = container(frame)
    if (value instanceof Optional) {
      if (!value.present) return false
      value = value.value
    }
    return value !== null && value !== undefined && lookup(value, key) !== undefined
  }
}

const bind: Expand = ({ compiler, args, scope }) => {
  const value = compiler.compile(args[1]!, scope)
  const inner = new Map(scope)
  const slot = variable(compiler, args[0]!, inner)
  const body = compiler.compile(args[2]!, inner)
  return (frame) => {
    frame.locals[slot] = value(frame)
    return body(frame)
  }
}

function optionalOf(value: Value, what: string): Optional {
  if (value instanceof Optional) return value
  throw new ValueError(`${what} needs an optional, not ${shownKind(value)}`)
}

function optionalMap(flat: boolean): Expand {
  return ({ compiler, receiver, args, scope }) => {
    const source = compiler.compile(receiver, scope)
    const inner = new Map(scope)
    const slot = variable(compiler, args[0]!, inner)
    const body = compiler.compile(args[1]!, inner)
    return (frame) => {
      const optional = optionalOf(source(frame), flat ? 'optFlatMap()' : 'optMap()')
      if (!optional.present) return Optional.none
      frame.locals[slot] = optional.value
      const result = body(frame)
      return flat ? optionalOf(result, 'the result of optFlatMap()') : Optional.of(result)
    }
  }
}

/** The alternative is evaluated only when it is needed. */
function alternative(whole: boolean): Expand {
  return ({ compiler, receiver, args, scope }) => {
    const source = compiler.compile(receiver, scope)
    const other = compiler.compile(args[0]!, scope)
    return (frame) => {
      const optional = optionalOf(source(frame), whole ? 'or()' : 'orValue()')
      if (whole) return optional.present ? optional : optionalOf(other(frame), 'or()')
      return optional.present ? optional.value : other(frame)
    }
  }
}

const sortBy: Expand = ({ compiler, receiver, args, scope }) => {
  const { each, body } = loop(compiler, receiver, args, scope, 1)
  return (frame) => {
    const keyed: { item: Value; key: Value }[] = []
    each(frame, ([item]) => void keyed.push({ item, key: body[0]!(frame) }))
    frame.run.spend(keyed.length * 4)
    keyed.sort((a, b) => {
      const result = compare(a.key, b.key)
      if (result === undefined) throw new ValueError(`cannot sort ${shownKind(a.key)} with ${shownKind(b.key)}`)
      return result
    })
    return keyed.map(({ item }) => item)
  }
}

const macros: Record<string, Expand> = {
  'has/1': has,
  'cel.bind/3': bind,
  '.all/2': quantifier(false, 1),
  '.all/3': quantifier(false, 2),
  '.exists/2': quantifier(true, 1),
  '.exists/3': quantifier(true, 2),
  '.exists_one/2': existsOne(1),
  '.exists_one/3': existsOne(2),
  '.existsOne/2': existsOne(1),
  '.existsOne/3': existsOne(2),
  '.map/2': collecting(1, 'list'),
  '.map/3': collecting(1, 'list'),
  '.filter/2': collecting(1, 'filter'),
  '.transformList/3': collecting(2, 'list'),
  '.transformList/4': collecting(2, 'list'),
  '.transformMap/3': collecting(2, 'map'),
  '.transformMap/4': collecting(2, 'map'),
  '.transformMapEntry/3': collecting(2, 'entry'),
  '.transformMapEntry/4': collecting(2, 'entry'),
  '.sortBy/2': sortBy,
  '.optMap/2': optionalMap(false),
  '.optFlatMap/2': optionalMap(true),
  '.or/1': alternative(true),
  '.orValue/1': alternative(false),
}

export const macroNames: readonly string[] = Object.keys(macros)

/** The code of a macro call, or undefined when the name is none. */
export function expandMacro(
  compiler: Compiler,
  node: Node,
  name: string,
  receiver: Node | undefined,
  args: Node[],
  scope: Scope,
): Code | undefined {
  const expand = macros[`${receiver ? '.' : ''}${name}/${args.length}`]
  return expand?.({ compiler, node, receiver: receiver ?? node, args, scope })
}
