import { tooComplex } from '../errors.ts'
import type { Limits } from '../limits.ts'
import { Scanner } from './scanner.ts'
import type { Aggregate, JsonPath, SelectEmbed, SelectField, SelectItem } from './syntax.ts'

const aggregateCall = /\.(count|sum|avg|min|max)\(\)/y
const keyEnd = /[,()]|->|::|\.(?:count|sum|avg|min|max)\(\)/g
const typeName = /[a-z_][a-z0-9_ ]*(?:\[\])?/iy

/**
 * select := item (',' item)*
 * item   := '*' | [alias ':'] (field | 'count()' | embed) | '...' embed
 * field  := name ('->' key | '->>' key)* ['::' type] ['.' aggregate '()' ['::' type]]
 * embed  := name ['!' hint] ['!inner' | '!left'] '(' [select] ')'
 */
export function parseSelect(text: string, limits: Limits): SelectItem[] {
  const scanner = new Scanner(text, 'select parameter')
  scanner.blanks()
  if (scanner.done) return [{ kind: 'star' }]
  const budget = { embeds: limits.embeds, depth: limits.embedDepth, items: limits.terms }
  const items = list(scanner, budget, 0)
  scanner.blanks()
  // A console of this API sends one closing parenthesis too many (api-contract.md D720).
  scanner.eat(')')
  scanner.blanks()
  if (!scanner.done) scanner.fail('"," or end of input')
  return items
}

interface Budget {
  items: number
  embeds: number
  depth: number
}

function list(scanner: Scanner, budget: Budget, depth: number): SelectItem[] {
  const items: SelectItem[] = []
  do {
    if (budget.items-- <= 0) throw tooComplex('too many columns in one request')
    scanner.blanks()
    items.push(item(scanner, budget, depth))
    scanner.blanks()
  } while (scanner.eat(','))
  return items
}

function item(scanner: Scanner, budget: Budget, depth: number): SelectItem {
  if (scanner.eat('...')) {
    const embedded = embed(scanner, scanner.name('relation name'), budget, depth)
    return { ...embedded, spread: true }
  }
  if (scanner.eat('*')) return { kind: 'star' }
  if (scanner.eat('count()')) return { kind: 'count', cast: cast(scanner) }
  const first = scanner.name('field name (* or [a..z0..9_$])')
  scanner.blanks()
  if (!scanner.peek(':') || scanner.peek('::')) return named(scanner, first, undefined, budget, depth)
  scanner.expect(':')
  scanner.blanks()
  if (scanner.eat('count()')) return { kind: 'count', alias: first, cast: cast(scanner) }
  return named(scanner, scanner.name('field or relation name'), first, budget, depth)
}

function named(scanner: Scanner, name: string, alias: string | undefined, budget: Budget, depth: number): SelectItem {
  scanner.blanks()
  if (scanner.peek('!') || scanner.peek('(')) return { ...embed(scanner, name, budget, depth), alias }
  const path = jsonPath(scanner)
  const field: SelectField = { kind: 'field', name, path, cast: cast(scanner), alias }
  const call = scanner.match(aggregateCall)
  if (!call) return field
  return { ...field, aggregate: call[1] as Aggregate, aggregateCast: cast(scanner) }
}

function embed(scanner: Scanner, target: string, budget: Budget, depth: number): SelectEmbed {
  if (depth >= budget.depth) throw tooComplex(`embedded resources may be nested ${budget.depth} levels deep`)
  if (budget.embeds-- <= 0) throw tooComplex('too many embedded resources in one request')
  const embedded: SelectEmbed = { kind: 'embed', target, spread: false, items: [] }
  scanner.blanks()
  while (scanner.eat('!')) {
    const word = scanner.name('foreign key hint, inner or left')
    if (word === 'inner' || word === 'left') embedded.join = word
    else embedded.hint = word
    scanner.blanks()
  }
  scanner.expect('(')
  scanner.blanks()
  if (scanner.eat(')')) return embedded
  embedded.items = list(scanner, budget, depth + 1)
  scanner.expect(')')
  return embedded
}

/** Keys may hold dots and slashes; they end at the next arrow, a cast, an aggregate, a comma or a parenthesis. */
function jsonPath(scanner: Scanner): JsonPath | undefined {
  const keys: string[] = []
  let text = false
  while (scanner.peek('->')) {
    if (text) scanner.fail('"," (->> ends a path)')
    scanner.expect('->')
    text = scanner.eat('>')
    const key = scanner.quoted() ?? scanner.upTo(keyEnd).trim()
    if (key === '') scanner.fail('key of a JSON object or index of an array')
    keys.push(key)
  }
  return keys.length > 0 ? { keys, text } : undefined
}

function cast(scanner: Scanner): string | undefined {
  if (!scanner.eat('::')) return undefined
  const type = scanner.match(typeName)
  if (!type) scanner.fail('name of a type')
  return type[0].trim().toLowerCase()
}
