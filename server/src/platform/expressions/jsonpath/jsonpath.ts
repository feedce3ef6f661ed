import { FunctionExpressionType, JSONPathEnvironment, type JSONPathQuery, type JSONValue } from 'json-p3'
import { ExpressionError, OutOfSteps, ValueError } from '../errors.ts'
import { compilePattern } from '../library/regexp.ts'
import type { Run } from '../run.ts'

/** Where a value was found, from the root. */
export interface Found {
  location: (string | number)[]
  value: unknown
}

// The library runs to its end without asking anybody; the budget is charged from the places it calls back.
let current: Run | undefined

class Environment extends JSONPathEnvironment {
  override entries(object: Record<string, JSONValue>): [string, JSONValue][] {
    const entries = Object.entries(object)
    current?.spend(entries.length + 1)
    return entries
  }
  protected override setupFilterFunctions(): void {
    super.setupFilterFunctions()
    // The library's own use the platform's regular expressions, which can take forever.
    const textual = [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType]
    const matcher = (whole: boolean) => (value: unknown, pattern: unknown) => {
      if (typeof value !== 'string' || typeof pattern !== 'string') return false
      current?.spend(8 + (value.length >>> 2))
      try {
        return compilePattern(whole ? `^(?:${pattern})$` : pattern, 0, current)
          .matcher(value)
          .find()
      } catch (error) {
        if (error instanceof ValueError) return false
        throw error
      }
    }
    this.functionRegister.set('match', {
      argTypes: textual,
      returnType: FunctionExpressionType.LogicalType,
      call: matcher(true),
    })
    this.functionRegister.set('search', {
      argTypes: textual,
      returnType: FunctionExpressionType.LogicalType,
      call: matcher(false),
    })
  }
}

const environment = new Environment({ maxRecursionDepth: 200 })
const queries = new Map<string, JSONPathQuery>()

const strings = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"/g
const names = /\.((?:[A-Za-z_\u0080-\uffff]|\\.)(?:[\w\-/\u0080-\uffff]|\\.)*)/g

/** Names that the standard does not allow bare, such as app-name or with escaped dots, are put into brackets. */
function quoteNames(path: string): string {
  let out = ''
  let from = 0
  const outside = (text: string) =>
    text.replace(names, (whole, name: string) =>
      /^[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*$/.test(name)
        ? whole
        : `['${name.replace(/\\(.)/g, '$1').replaceAll("'", "\\'")}']`,
    )
  for (const found of path.matchAll(strings)) {
    out += outside(path.slice(from, found.index)) + found[0]
    from = found.index + found[0].length
  }
  return out + outside(path.slice(from))
}

/** The standard form of a path: `{.items[0]}`, `.items[0]`, `items[0]` and `$.items[0]` are the same. */
export function standardPath(path: string): string {
  let text = path.trim()
  if (text.startsWith('{') && text.endsWith('}')) text = text.slice(1, -1).trim()
  if (text === '' || text === '@' || text === '.') return '$'
  if (text.startsWith('@')) text = text.slice(1)
  if (text.startsWith('$')) text = text.slice(1)
  if (text !== '' && !/^[.[]/.test(text)) text = `.${text}`
  return `$${quoteNames(text)}`
}

const failure = (message: string, kind: 'syntax' | 'evaluation') =>
  new ExpressionError({ message: `The JSON path is wrong: ${message}`, kind, language: 'jsonpath' })

function compiled(path: string): JSONPathQuery {
  const known = queries.get(path)
  if (known) return known
  if (path.length > 4_000) throw failure('it is longer than 4000 characters', 'syntax')
  try {
    const query = environment.compile(standardPath(path))
    if (queries.size >= 1_000) queries.delete(queries.keys().next().value!)
    queries.set(path, query)
    return query
  } catch (error) {
    throw failure((error as Error).message, 'syntax')
  }
}

/** Everything a path finds, with where it was. */
export function findNodes(path: string, data: unknown, run?: Run): Found[] {
  const query = compiled(path)
  const found: Found[] = []
  const before = current
  current = run
  try {
    for (const { location, value } of query.lazyQuery(data as JSONValue)) {
      run?.spend(2)
      found.push({ location, value })
    }
    return found
  } catch (error) {
    if (error instanceof OutOfSteps || error instanceof ExpressionError) throw error
    throw failure((error as Error).message, 'evaluation')
  } finally {
    current = before
  }
}

/** Values only: one as itself, several as a list, none as undefined. */
export function queryPath(path: string, data: unknown, run?: Run): unknown {
  const found = findNodes(path, data, run)
  return found.length > 1 ? found.map(({ value }) => value) : found[0]?.value
}

/** Says what is wrong with a path, or nothing. */
export function checkPath(path: string): void {
  compiled(path)
}
