import { malformed, shorten, tooComplex } from '../errors.ts'
import type { Limits } from '../limits.ts'
import { Lru } from '../lru.ts'
import { looksLikeFilter, parseFilter, parseLogic } from './filters.ts'
import { parseListFilter } from './list-filter.ts'
import { parseOrder } from './order.ts'
import { splitQuery } from './query-string.ts'
import { Scanner } from './scanner.ts'
import { parseSelect } from './select.ts'
import type { EmbedPath, FieldRef, OrderTerm, Query, SelectItem } from './syntax.ts'
import { Values } from './values.ts'

export interface QueryContext {
  limits: Limits
  now(): Date
  /** For a function called by GET: which parameters are its arguments. Absent otherwise. */
  isArgument?(name: string): boolean
}

export interface ParsedQuery extends Query {
  /** Equal for requests that differ in nothing but values. */
  shape: string
}

// select and order hold no values, so their trees can be shared between requests.
const selects = new Lru<SelectItem[]>(500)
const orders = new Lru<OrderTerm[]>(500)

/** Reads a query string into what it selects, filters, orders and limits. */
export function parseQuery(raw: string, context: QueryContext): ParsedQuery {
  const pairs = splitQuery(raw, context.limits)
  const selectText = pairs.findLast(([key]) => key === 'select')?.[1] ?? '*'
  const values = new Values(context.limits.conditions)
  const query: Query = {
    select: cached(selects, selectText, () => parseSelect(selectText, context.limits)),
    filters: [],
    orders: [],
    ranges: [],
    limit: undefined,
    offset: undefined,
    columns: undefined,
    onConflict: undefined,
    args: new Map(),
    values: values.list,
  }
  const seenLists = new Set<string>()
  for (const [key, value] of pairs) readParameter(query, key, value, values, context, seenLists)
  const { filters, ranges, columns, onConflict } = query
  return { ...query, shape: JSON.stringify([selectText, filters, query.orders, ranges, columns, onConflict]) }
}

function cached<V>(store: Lru<V>, text: string, make: () => V): V {
  const known = store.get(text)
  if (known) return known
  const made = make()
  if (text.length < 4000) store.set(text, made)
  return made
}

function readParameter(
  query: Query,
  key: string,
  value: string,
  values: Values,
  context: QueryContext,
  seenLists: Set<string>,
) {
  switch (key) {
    case 'select':
      return
    case 'order':
      return setOrder(query, [], value, context.limits)
    case 'limit':
    case 'offset':
      query[key] = wholeNumber(key, value) ?? query[key]
      return
    case 'columns':
    case 'on_conflict':
      if (context.isArgument?.(key)) break
      query[key === 'columns' ? 'columns' : 'onConflict'] = names(value, key, context.limits)
      return
  }
  if (context.isArgument?.(key)) return addArgument(query, key, value)
  const { path, name, keys, text } = readKey(key)
  if (keys.length > 0) {
    const field: FieldRef = { name, path: { keys: values.add(keys), text } }
    query.filters.push({ path, logic: parseFilter(field, value, values) })
    return
  }
  if (name === 'and' || name === 'or') {
    const not = path.at(-1) === 'not'
    const logic = parseLogic(name, not, value, values, context.limits)
    query.filters.push({ path: not ? path.slice(0, -1) : path, logic })
    return
  }
  const parent = path.at(-1)
  if (parent !== undefined) {
    if (name === 'order') return setOrder(query, path, value, context.limits)
    if (name === 'limit' || name === 'offset') return setRange(query, path, name, value, values, context.limits)
    if (name === 'filter' && !isEmbedded(query.select, path)) {
      // Of a repeated .filter only the first counts (api-contract.md 3.2).
      if (seenLists.has(key)) return
      seenLists.add(key)
      const logic = parseListFilter(parent, value, values, context.now())
      if (logic) query.filters.push({ path: path.slice(0, -1), logic })
      return
    }
  } else if (context.isArgument && !looksLikeFilter(value)) return addArgument(query, key, value)
  query.filters.push({ path, logic: parseFilter({ name }, value, values) })
}

function addArgument(query: Query, key: string, value: string) {
  query.args.set(key, [...(query.args.get(key) ?? []), value])
}

/** {embed}.{embed}.{column}->{key}->>{key}: after the first arrow everything is keys, dots and slashes included. */
function readKey(key: string): { path: EmbedPath; name: string; keys: string[]; text: boolean } {
  const arrow = key.indexOf('->')
  const scanner = new Scanner(arrow < 0 ? key : key.slice(0, arrow), 'filter')
  const segments: string[] = []
  do segments.push(scanner.name('field name'))
  while (scanner.eat('.'))
  if (!scanner.done) scanner.fail('"." or "->"')
  const rest = arrow < 0 ? '' : key.slice(arrow)
  const keys =
    rest === ''
      ? []
      : rest
          .slice(2)
          .split('->')
          .map((part) => unquoted(part.startsWith('>') ? part.slice(1) : part))
  if (keys.includes(''))
    throw malformed(`"failed to parse filter (${shorten(key)})"`, 'expecting a key after the arrow')
  return {
    path: segments.slice(0, -1),
    name: segments.at(-1)!,
    keys,
    text: rest.startsWith('->>', rest.lastIndexOf('->')),
  }
}

function unquoted(key: string): string {
  const scanner = new Scanner(key, 'filter')
  const inner = scanner.quoted()
  return inner !== undefined && scanner.done ? inner : key
}

/** Of several order parameters the last wins: the console puts the user's choice behind its default. */
function setOrder(query: Query, path: EmbedPath, value: string, limits: Limits) {
  if (value.trim() === '') return
  const terms = cached(orders, value, () => parseOrder(value, limits))
  const known = query.orders.find((order) => samePath(order.path, path))
  if (known) known.terms = terms
  else query.orders.push({ path, terms })
}

function setRange(
  query: Query,
  path: EmbedPath,
  name: 'limit' | 'offset',
  value: string,
  values: Values,
  limits: Limits,
) {
  const number = wholeNumber(name, value)
  if (number === undefined) return
  let range = query.ranges.find((r) => samePath(r.path, path))
  if (!range) query.ranges.push((range = { path }))
  range[name] = values.add(name === 'limit' ? Math.min(number, limits.maxRows) : number)
}

function wholeNumber(name: string, value: string): number | undefined {
  if (value.trim() === '') return undefined
  if (!/^\d{1,15}$/.test(value))
    throw malformed(`"failed to parse ${name} (${shorten(value)})"`, 'expecting a whole number of 0 or more')
  return Number(value)
}

function names(value: string, what: string, limits: Limits): string[] | undefined {
  if (value.trim() === '') return undefined
  const scanner = new Scanner(value, what)
  const found: string[] = []
  do {
    scanner.blanks()
    if (found.length >= limits.terms) throw tooComplex(`too many columns in ${what}`)
    found.push(scanner.name('column name'))
    scanner.blanks()
  } while (scanner.eat(','))
  if (!scanner.done) scanner.fail('","')
  return [...new Set(found)]
}

function samePath(a: EmbedPath, b: EmbedPath): boolean {
  return a.length === b.length && a.every((segment, i) => segment === b[i])
}

function isEmbedded(items: SelectItem[], path: EmbedPath): boolean {
  let level = items
  for (const segment of path) {
    const found = level.find((item) => item.kind === 'embed' && (item.alias === segment || item.target === segment))
    if (found?.kind !== 'embed') return false
    level = found.items
  }
  return true
}
