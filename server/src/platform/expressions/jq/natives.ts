import type { Run } from '../run.ts'
import { matchesOf } from '../library/regexp.ts'
import { runeCount } from '../library/text.ts'
import { RE2JS } from 're2js'
import {
  compare,
  deletePaths,
  getPath,
  indices,
  isObject,
  JqError,
  type JqObject,
  type Path,
  setPath,
  sortedKeys,
  typeName,
  withValue,
} from './data.ts'
import { textOf, toJsonText } from './formats.ts'
import type { NativeCall } from './evaluate.ts'
import { dateNatives } from './dates.ts'

type Values = Record<string, (run: Run, input: unknown, ...args: unknown[]) => unknown>

const text = (value: unknown, what: string): string => {
  if (typeof value === 'string') return value
  throw new JqError(`${withValue(value)} cannot be ${what}, as it is not a string`)
}
const list = (value: unknown, what: string): unknown[] => {
  if (Array.isArray(value)) return value
  throw new JqError(`${withValue(value)} cannot be ${what}, as it is not an array`)
}
const number = (value: unknown): number => {
  if (typeof value === 'number') return value
  throw new JqError(`${withValue(value)} number required`)
}

function length(run: Run, value: unknown): unknown {
  switch (typeName(value)) {
    case 'null':
      return 0
    case 'number':
      return Math.abs(value as number)
    case 'string':
      run.spendText((value as string).length)
      return [...(value as string)].length
    case 'array':
      return (value as unknown[]).length
    case 'object':
      return Object.keys(value as JqObject).length
    default:
      throw new JqError(`${withValue(value)} has no length`)
  }
}

function contains(run: Run, left: unknown, right: unknown): boolean {
  run.spend(1)
  if (isObject(left) && isObject(right))
    return Object.keys(right).every((key) => Object.hasOwn(left, key) && contains(run, left[key], right[key]))
  if (Array.isArray(left) && Array.isArray(right))
    return right.every((item) => left.some((other) => typeName(other) === typeName(item) && contains(run, other, item)))
  if (typeof left === 'string' && typeof right === 'string') return left.includes(right)
  if (typeName(left) === typeName(right)) return compare(left, right, run) === 0
  throw new JqError(`${withValue(left)} and ${withValue(right)} cannot have their containment checked`)
}

/** Items in the order of their keys, equal ones in the order they came. */
function ordered(run: Run, input: unknown, keys: unknown): { item: unknown; key: unknown }[] {
  const items = list(input, 'sorted').map((item, at) => ({ item, key: (keys as unknown[])[at] }))
  return items.sort((a, b) => compare(a.key, b.key, run))
}

function flatten(run: Run, items: unknown[], depth: number): unknown[] {
  return items.flatMap((item) => {
    run.spend(1)
    return Array.isArray(item) && depth > 0 ? flatten(run, item, depth - 1) : [item]
  })
}

function tonumber(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string' && /^\s*-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(value)) return Number(value)
  throw new JqError(`${withValue(value)} cannot be parsed as a number`)
}

function regexFlags(flags: unknown): { all: boolean; code: number; skipEmpty: boolean; extended: boolean } {
  if (flags !== null && typeof flags !== 'string') throw new JqError(`${withValue(flags)} is not a string`)
  const given = flags ?? ''
  const unknown = /[^gimnpslx]/.exec(given)
  if (unknown) throw new JqError(`${given} is not a valid modifier string`)
  const dot = given.includes('s') || given.includes('p') ? RE2JS.DOTALL : 0
  return {
    all: given.includes('g'),
    code: (given.includes('i') ? RE2JS.CASE_INSENSITIVE : 0) | dot,
    skipEmpty: given.includes('n'),
    extended: given.includes('x'),
  }
}

function matchList(run: Run, input: unknown, pattern: unknown, flags: unknown): JqObject[] {
  // A pattern may be given together with its flags.
  if (Array.isArray(pattern)) return matchList(run, input, pattern[0], pattern[1] ?? null)
  const source = text(input, 'matched')
  const written = text(pattern, 'used as a pattern')
  const { all, code, skipEmpty, extended } = regexFlags(flags)
  const re = extended
    ? written.replace(/\\#|#[^\n]*|\\\s|\s+/g, (part) => (part.startsWith('\\') ? part : ''))
    : written
  const names = [...re.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)|\(\?P?<([A-Za-z_]\w*)>/g)]
    .filter(([part]) => part.startsWith('('))
    .map(([, name]) => name ?? null)
  const jsOffset = (at: number) => runeCount(source.slice(0, at))
  run.spendText(source.length)
  return matchesOf(run, re, source, all ? -1 : 1, code)
    .filter((match) => !skipEmpty || match.text !== '')
    .map((match) => ({
      offset: jsOffset(match.start),
      length: [...match.text].length,
      string: match.text,
      captures: match.groups.map((group, at) => {
        const inside = group === null ? -1 : match.text.indexOf(group)
        return {
          offset: group === null ? -1 : jsOffset(match.start + Math.max(0, inside)),
          length: group === null ? 0 : [...group].length,
          string: group,
          name: names[at] ?? null,
        }
      }),
    }))
}

const unaryMath = [
  'floor',
  'ceil',
  'round',
  'trunc',
  'sqrt',
  'cbrt',
  'sin',
  'cos',
  'tan',
  'asin',
  'acos',
  'atan',
  'sinh',
  'cosh',
  'tanh',
  'asinh',
  'acosh',
  'atanh',
  'exp',
  'expm1',
  'log',
  'log2',
  'log10',
  'log1p',
] as const

export const valueNatives: Values = {
  'length/0': length,
  'utf8bytelength/0': (_, input) => Buffer.byteLength(text(input, 'measured')),
  'type/0': (_, input) => typeName(input),
  'keys/0': (run, input) => {
    if (Array.isArray(input)) return input.map((_, at) => at)
    if (!isObject(input)) throw new JqError(`${withValue(input)} has no keys`)
    run.spend(Object.keys(input).length)
    return sortedKeys(input)
  },
  'keys_unsorted/0': (run, input) => {
    if (Array.isArray(input)) return input.map((_, at) => at)
    if (!isObject(input)) throw new JqError(`${withValue(input)} has no keys`)
    run.spend(Object.keys(input).length)
    return Object.keys(input)
  },
  'has/1': (_, input, key) => {
    if (isObject(input) && typeof key === 'string') return Object.hasOwn(input, key)
    if (Array.isArray(input) && typeof key === 'number') return key >= 0 && key < input.length
    throw new JqError(`Cannot check whether ${typeName(input)} has a ${typeName(key)} key`)
  },
  'contains/1': contains,
  'setpath/2': (run, input, path, value) => setPath(input, list(path, 'used as a path'), value, run),
  'delpaths/1': (run, input, paths) => deletePaths(input, list(paths, 'used as paths') as Path[], run),
  'flatten/0': (run, input) => flatten(run, list(input, 'flattened'), Infinity),
  'flatten/1': (run, input, depth) => {
    if (number(depth) < 0) throw new JqError('flatten depth must not be negative')
    return flatten(run, list(input, 'flattened'), depth as number)
  },
  '_sort_by/1': (run, input, keys) => ordered(run, input, keys).map(({ item }) => item),
  '_group_by/1': (run, input, keys) => {
    const groups: { key: unknown; items: unknown[] }[] = []
    for (const { item, key } of ordered(run, input, keys)) {
      const last = groups.at(-1)
      if (last && compare(last.key, key, run) === 0) last.items.push(item)
      else groups.push({ key, items: [item] })
    }
    return groups.map(({ items }) => items)
  },
  '_min_by/1': (run, input, keys) => ordered(run, input, keys)[0]?.item ?? null,
  '_max_by/1': (run, input, keys) => ordered(run, input, keys).at(-1)?.item ?? null,
  'reverse/0': (run, input) => {
    if (typeof input === 'string') return [...input].reverse().join('')
    run.spend(input === null ? 0 : list(input, 'reversed').length)
    return input === null ? [] : [...list(input, 'reversed')].reverse()
  },
  'tojson/0': (run, input) => {
    const made = toJsonText(input)
    run.allowText(made.length)
    return made
  },
  'fromjson/0': (run, input) => {
    const source = text(input, 'parsed')
    run.spend(source.length >>> 3)
    try {
      return JSON.parse(source) as unknown
    } catch {
      throw new JqError('the text is not JSON')
    }
  },
  'tostring/0': (run, input) => {
    const made = textOf(input)
    run.allowText(made.length)
    return made
  },
  'tonumber/0': (_, input) => tonumber(input),
  'toboolean/0': (_, input) => {
    if (typeof input === 'boolean') return input
    if (input === 'true' || input === 'false') return input === 'true'
    throw new JqError(`${withValue(input)} cannot be parsed as a boolean`)
  },
  'explode/0': (run, input) => {
    run.spend(text(input, 'exploded').length)
    return [...(input as string)].map((character) => character.codePointAt(0))
  },
  'implode/0': (run, input) => {
    const codes = list(input, 'imploded')
    run.allowText(codes.length)
    return codes
      .map((code) => {
        if (typeof code !== 'number' || code < 0 || code > 0x10ffff)
          throw new JqError('Unicode codepoint must be numeric')
        return String.fromCodePoint(code)
      })
      .join('')
  },
  'split/1': (run, input, separator) => {
    run.spendText(text(input, 'split').length)
    return input === '' ? [] : (input as string).split(text(separator, 'used to split'))
  },
  'split/2': (run, input, pattern, flags) => {
    const source = text(input, 'split')
    const characters = [...source]
    let at = 0
    const parts = matchList(run, input, pattern, `${(flags as string | null) ?? ''}g`).map(
      ({ offset, length: size }) => {
        const part = characters.slice(at, offset as number).join('')
        at = (offset as number) + (size as number)
        return part
      },
    )
    return [...parts, characters.slice(at).join('')]
  },
  'join/1': (run, input, separator) => {
    const items = list(input, 'joined')
    if (items.length === 0) return ''
    const parts = items.map((item) => {
      if (item === null) return ''
      if (typeof item === 'object') throw new JqError(`${withValue(item)} cannot be joined`)
      return textOf(item)
    })
    run.allowText(parts.reduce((size, part) => size + part.length + 1, 0))
    return parts.join(text(separator, 'used to join'))
  },
  'startswith/1': (_, input, part) => text(input, 'matched').startsWith(text(part, 'matched')),
  'endswith/1': (_, input, part) => text(input, 'matched').endsWith(text(part, 'matched')),
  'trim/0': (_, input) => text(input, 'trimmed').trim(),
  'ltrim/0': (_, input) => text(input, 'trimmed').trimStart(),
  'rtrim/0': (_, input) => text(input, 'trimmed').trimEnd(),
  'indices/1': (run, input, part) => {
    if (input === null) return null
    if (typeof input === 'string') {
      const [source, wanted] = [[...input], [...text(part, 'searched')]]
      return indices(source, wanted, run)
    }
    return indices(list(input, 'searched'), Array.isArray(part) ? part : [part], run)
  },
  'test/2': (run, input, pattern, flags) => matchList(run, input, pattern, flags).length > 0,
  'transpose/0': (run, input) => {
    const rows = list(input, 'transposed').map((row) => list(row, 'transposed'))
    const width = Math.max(0, ...rows.map((row) => row.length))
    run.spend(width * rows.length)
    return Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null))
  },
  'abs/0': (_, input) => {
    if (typeof input !== 'number') throw new JqError(`${withValue(input)} has no absolute value`)
    return Math.abs(input)
  },
  'pow/2': (_, __, base, exponent) => number(base) ** number(exponent),
  'fmin/2': (_, __, a, b) => Math.min(number(a), number(b)),
  'fmax/2': (_, __, a, b) => Math.max(number(a), number(b)),
  'fmod/2': (_, __, a, b) => number(a) % number(b),
  'atan2/2': (_, __, a, b) => Math.atan2(number(a), number(b)),
  'exp2/0': (_, input) => 2 ** number(input),
  'exp10/0': (_, input) => 10 ** number(input),
  'infinite/0': () => Infinity,
  'nan/0': () => Number.NaN,
  'isinfinite/0': (_, input) => Math.abs(number(input)) === Infinity,
  'isnan/0': (_, input) => Number.isNaN(number(input)),
  'isnormal/0': (_, input) => Number.isFinite(number(input)) && Math.abs(input as number) >= 2.2250738585072014e-308,
  'now/0': (run) => run.now / 1000,
  'input_filename/0': () => null,
  ...dateNatives,
}
for (const name of unaryMath) valueNatives[`${name}/0`] = (_, input) => Math[name](number(input))

function range({ emit, path, run }: NativeCall, from: unknown[], to: unknown[], by: unknown[]): void {
  for (const start of from) {
    for (const end of to) {
      for (const step of by) {
        const size = number(step)
        if (size === 0) continue
        for (let at = number(start); size > 0 ? at < number(end) : at > number(end); at += size) {
          run.spend(1)
          emit(at, path === undefined ? undefined : null)
        }
      }
    }
  }
}

export const filterNatives: Record<string, (call: NativeCall) => void> = {
  'empty/0': () => {},
  'error/0': ({ input }) => {
    throw new JqError(input)
  },
  'error/1': ({ machine, args, input }) => {
    for (const value of machine.all(args[0]!, input)) throw new JqError(value)
  },
  'path/1': ({ machine, args, input, emit, path }) => {
    const { body, scope } = args[0]!
    machine.eval(body, input, [], scope, (_, found) => {
      if (!found) throw new JqError('Invalid path expression')
      emit(found, path === undefined ? undefined : null)
    })
  },
  'getpath/1': ({ machine, args, input, emit, path, run }) => {
    for (const keys of machine.all(args[0]!, input)) {
      const steps = list(keys, 'used as a path')
      emit(getPath(input, steps, run), path ? [...path, ...steps] : path)
    }
  },
  'range/1': (call) => range(call, [0], call.machine.all(call.args[0]!, call.input), [1]),
  'range/2': (call) =>
    range(call, call.machine.all(call.args[0]!, call.input), call.machine.all(call.args[1]!, call.input), [1]),
  'range/3': (call) =>
    range(call, ...(call.args.map((arg) => call.machine.all(arg, call.input)) as [unknown[], unknown[], unknown[]])),
  'limit/2': ({ machine, args, input, emit, path }) => {
    for (const most of machine.all(args[0]!, input)) {
      let left = number(most)
      if (left <= 0) continue
      machine.until(args[1]!, input, path, (value, at) => {
        left--
        emit(value, at)
        return left > 0
      })
    }
  },
  'skip/2': ({ machine, args, input, emit, path }) => {
    for (const count of machine.all(args[0]!, input)) {
      let left = number(count)
      const { body, scope } = args[1]!
      machine.eval(body, input, path, scope, (value, at) => {
        if (left > 0) left--
        else emit(value, at)
      })
    }
  },
  'first/1': ({ machine, args, input, emit, path }) =>
    machine.until(args[0]!, input, path, (value, at) => {
      emit(value, at)
      return false
    }),
  'match/2': ({ machine, args, input, emit, path, run }) => {
    for (const flags of machine.all(args[1]!, input)) {
      for (const pattern of machine.all(args[0]!, input)) {
        for (const match of matchList(run, input, pattern, flags)) emit(match, path === undefined ? undefined : null)
      }
    }
  },
  'input/0': () => {
    throw new JqError('No more inputs')
  },
  'inputs/0': () => {},
}
