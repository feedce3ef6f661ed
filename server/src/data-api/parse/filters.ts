import { cannotParse, tooComplex } from '../errors.ts'
import type { Limits } from '../limits.ts'
import { isOperator, type OperatorName, operatorNames, operatorOf, operators } from './operators.ts'
import { Scanner } from './scanner.ts'
import type { Comparison, FieldRef, IsWord, Logic, LogicGroup } from './syntax.ts'
import type { Values } from './values.ts'

interface Head {
  not: boolean
  op: OperatorName
  modifier: string | undefined
}

const head = /(not\.)?([a-z]+)(?:\(([^()]*)\))?\./y
/** A key in a tree of conditions ends where the next key, the operator, or the condition's end is. */
const keyEnd = new RegExp(`->|[,()]|\\.(?:not\\.)?(?:${Object.keys(operators).join('|')})(?:\\([^()]*\\))?\\.`, 'g')
/** Text without commas and closing parentheses, but for those that close one inside it: now(), a (b). */
const plainValue = /(?:[^,()]+|\([^(),]*\)|\()*/y

/** Whether a parameter's value starts like a filter; a function's argument does not. */
export function looksLikeFilter(text: string): boolean {
  head.lastIndex = 0
  const found = head.exec(text)
  return found !== null && isOperator(found[2]!)
}

/** {field}={[not.]operator[(modifier)].value}: the value is everything that follows, quotes and commas included. */
export function parseFilter(field: FieldRef, text: string, values: Values): Comparison {
  const scanner = new Scanner(text, 'filter')
  values.condition()
  const start = readHead(scanner)
  const rest = text.slice(scanner.pos)
  if (start.op === 'eq' && !start.not && field.path?.text && start.modifier === undefined) {
    return {
      kind: 'comparison',
      field,
      not: false,
      op: 'eq',
      containment: containment(field, rest, values),
      value: values.add(rest),
    }
  }
  if (start.op !== 'in') return comparison(scanner, field, start, rest, values)
  return { kind: 'comparison', field, not: start.not, op: 'in', value: values.add(wholeList(scanner, rest)) }
}

/** A key that may be an index of a list is not a key of an object, and containment would miss it. */
function containment(field: FieldRef, text: string, values: Values): Comparison['containment'] {
  const keys = values.list[field.path!.keys] as string[]
  if (keys.some((key) => /^-?\d+$/.test(key))) return undefined
  return /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false)$/.test(text) ? 'scalar' : 'text'
}

function readHead(scanner: Scanner): Head {
  const found = scanner.match(head)
  if (!found || !isOperator(found[2]!)) {
    throw cannotParse(scanner.what, scanner.text, scanner.pos + 1, `"not" or an operator (${operatorNames})`)
  }
  if (found[2] === 'in' && found[3] !== undefined) scanner.fail('a list in parentheses after "in."')
  return { not: found[1] !== undefined, op: found[2], modifier: found[3] }
}

const isWords: readonly string[] = ['null', 'not_null', 'true', 'false', 'unknown'] satisfies IsWord[]

function comparison(
  scanner: Scanner,
  field: FieldRef,
  { not, op, modifier }: Head,
  text: string,
  values: Values,
): Comparison {
  if (op === 'is') {
    const word = text.toLowerCase()
    if (modifier !== undefined || !isWords.includes(word)) scanner.fail('null, not_null, true, false or unknown')
    return { kind: 'comparison', field, not, op, is: word as IsWord }
  }
  const operator = operatorOf(op)
  const value = values.add(operator.pattern ? text.replaceAll('*', '%') : text)
  if (modifier === undefined) return { kind: 'comparison', field, not, op, value }
  if (operator.search) return { kind: 'comparison', field, not, op, language: values.add(modifier), value }
  if (!operator.quantifiable || (modifier !== 'any' && modifier !== 'all'))
    scanner.fail('an operator without this modifier')
  return { kind: 'comparison', field, not, op, quantifier: modifier, value }
}

/** in.(…) as a parameter of its own: the list ends at the last parenthesis, so items may hold others. */
function wholeList(scanner: Scanner, text: string): string[] {
  if (!text.startsWith('(') || !text.endsWith(')') || text.length < 2) scanner.fail('a list in parentheses')
  const list = text.slice(1, -1)
  if (list !== '' && !list.includes('"')) return list.split(',')
  const inner = new Scanner(list, scanner.what)
  return listItems(inner, ',', () => inner.upTo(/,/g))
}

function listItems(scanner: Scanner, ends: string, plain: () => string): string[] {
  if (scanner.done || (ends.includes(')') && scanner.peek(')'))) return []
  const items: string[] = []
  do items.push(scanner.quoted(ends) ?? plain())
  while (scanner.eat(','))
  return items
}

/** or=(a.eq.1,and(b.gt.2,c.lt.3),not.or(…)) */
export function parseLogic(kind: 'and' | 'or', not: boolean, text: string, values: Values, limits: Limits): LogicGroup {
  const scanner = new Scanner(text, 'logic tree')
  const items = group(scanner, values, limits.logicDepth)
  scanner.blanks()
  if (!scanner.done) scanner.fail('end of input')
  return { kind, not, items }
}

function group(scanner: Scanner, values: Values, levels: number): Logic[] {
  if (levels <= 0) throw tooComplex('conditions are nested too deeply')
  scanner.blanks()
  scanner.expect('(')
  const items: Logic[] = []
  do {
    scanner.blanks()
    items.push(term(scanner, values, levels))
    scanner.blanks()
  } while (scanner.eat(','))
  scanner.expect(')')
  return items
}

const groupStart = /(not\.)?(and|or)(?=\s*\()/y

function term(scanner: Scanner, values: Values, levels: number): Logic {
  const nested = scanner.match(groupStart)
  if (nested) {
    const items = group(scanner, values, levels - 1)
    return { kind: nested[2] as 'and' | 'or', not: nested[1] !== undefined, items }
  }
  values.condition()
  const field = fieldInLogic(scanner, values)
  scanner.expect('.')
  const start = readHead(scanner)
  if (start.op === 'in') {
    scanner.expect('(')
    const items = listItems(scanner, ',)', () => scanner.match(plainValue)![0])
    scanner.expect(')')
    return { kind: 'comparison', field, not: start.not, op: 'in', value: values.add(items) }
  }
  return comparison(scanner, field, start, logicValue(scanner), values)
}

function fieldInLogic(scanner: Scanner, values: Values): FieldRef {
  const name = scanner.name('field name')
  const keys: string[] = []
  let text = false
  while (scanner.eat('->')) {
    text = scanner.eat('>')
    const key = scanner.quoted() ?? scanner.upTo(keyEnd)
    if (key === '') scanner.fail('key of a JSON object or index of an array')
    keys.push(key)
  }
  return keys.length > 0 ? { name, path: { keys: values.add(keys), text } } : { name }
}

const endsValue = (scanner: Scanner) => scanner.peek(',') || scanner.peek(')')

function logicValue(scanner: Scanner): string {
  const start = scanner.pos
  const quoted = scanner.quoted()
  if (quoted !== undefined && endsValue(scanner)) return quoted
  scanner.pos = start
  if (scanner.peek('{')) {
    const braces = balanced(scanner)
    if (braces !== undefined && endsValue(scanner)) return braces
    scanner.pos = start
  }
  return scanner.match(plainValue)![0]
}

const longestBraces = 16_384

/** An array or a JSON object keeps its commas: everything up to the brace that closes it, if that is near enough. */
function balanced(scanner: Scanner): string | undefined {
  const start = scanner.pos
  let depth = 0
  while (!scanner.done && scanner.pos - start < longestBraces) {
    if (scanner.peek('"') && scanner.quoted() !== undefined) continue
    const char = scanner.text[scanner.pos++]
    if (char === '{') depth++
    else if (char === '}' && --depth === 0) return scanner.text.slice(start, scanner.pos)
  }
  return undefined
}
