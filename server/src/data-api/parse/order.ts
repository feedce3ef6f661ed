import { tooComplex } from '../errors.ts'
import type { Limits } from '../limits.ts'
import { Scanner } from './scanner.ts'
import type { JsonPath, OrderTerm } from './syntax.ts'

const direction = /\.(asc|desc)(?:\.nulls(first|last))?(?=\s*(?:,|$))|\.nulls(first|last)(?=\s*(?:,|$))/y
const keyEnd = new RegExp(`[,)]|->|${direction.source}`, 'g')

/** order := term (',' term)* ; term := (field | embed '(' field ')') ['.asc' | '.desc'] ['.nullsfirst' | '.nullslast'] */
export function parseOrder(text: string, limits: Limits): OrderTerm[] {
  const scanner = new Scanner(text, 'order')
  const terms: OrderTerm[] = []
  do {
    scanner.blanks()
    if (terms.length >= limits.terms) throw tooComplex('too many columns to order by')
    terms.push(term(scanner))
    scanner.blanks()
  } while (scanner.eat(','))
  if (!scanner.done) scanner.fail('"asc", "desc", "nullsfirst" or "nullslast"')
  return terms
}

function term(scanner: Scanner): OrderTerm {
  const name = scanner.name('field name')
  const found: OrderTerm = { name, descending: false }
  if (scanner.eat('(')) {
    found.embed = name
    found.name = scanner.name('field name')
    found.path = jsonPath(scanner)
    scanner.expect(')')
  } else found.path = jsonPath(scanner)
  const suffix = scanner.match(direction)
  if (suffix) {
    found.descending = suffix[1] === 'desc'
    found.nulls = (suffix[2] ?? suffix[3]) as OrderTerm['nulls']
  }
  return found
}

function jsonPath(scanner: Scanner): JsonPath | undefined {
  const keys: string[] = []
  let text = false
  while (scanner.eat('->')) {
    text = scanner.eat('>')
    const key = scanner.quoted() ?? scanner.upTo(keyEnd).trim()
    if (key === '') scanner.fail('key of a JSON object or index of an array')
    keys.push(key)
  }
  return keys.length > 0 ? { keys, text } : undefined
}
