import type { Lookup, RelationshipRule } from '@quarterdeck/contract/scrapers/common'
import { ExpressionError } from '../../../platform/expressions/errors.ts'
import { type Env, sharedExpressions } from '../../../platform/expressions/expressions.ts'
import type { CatalogItem, RelationSelector } from '../ingest/catalog-item.ts'
import { asText } from './paths.ts'
import { applies } from './rules.ts'

const expressions = sharedExpressions()
const keys = ['id', 'external_id', 'name', 'namespace', 'type', 'agent', 'scope'] as const

/** What the rules of a spec say about an item: selectors that are looked up once everything is stored. */
export async function selectorsOf(
  rules: readonly RelationshipRule[] | undefined,
  env: Env,
  labels: Record<string, string>,
): Promise<CatalogItem['selectors']> {
  const found: CatalogItem['selectors'] = []
  for (const rule of rules ?? []) {
    if (rule.filter && !(await applies(rule.filter, env))) continue
    const { relation = '', parent = false } = rule
    const selectors = rule.expr ? await fromExpression(rule.expr, env) : await fromLookups(rule, env, labels)
    for (const selector of selectors) found.push({ selector, relation, parent })
  }
  return found
}

async function fromExpression(expr: string, env: Env): Promise<RelationSelector[]> {
  let value: unknown
  try {
    const answer = await expressions.evaluate({ expr }, env)
    value = typeof answer.value === 'string' ? JSON.parse(answer.value) : answer.value
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof SyntaxError)
      throw new Error(`relationship: ${error.message}`, { cause: error })
    throw error
  }
  if (value === null || value === undefined) return []
  if (!Array.isArray(value)) throw new Error('relationship: the expression did not give a list of selectors')
  return value.flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return []
    const raw = one as Record<string, unknown>
    const selector: RelationSelector = {}
    for (const key of keys) {
      const text = asText(raw[key])
      if (text) selector[key] = text
    }
    if (typeof raw.labels === 'object' && raw.labels !== null) selector.labels = textsOf(raw.labels)
    return isEmpty(selector) ? [] : [selector]
  })
}

/** A key that is set but gives nothing makes the rule match nothing: it must not become wider. */
async function fromLookups(
  rule: RelationshipRule,
  env: Env,
  labels: Record<string, string>,
): Promise<RelationSelector[]> {
  const selector: RelationSelector = {}
  for (const key of keys) {
    const lookup = rule[key]
    if (lookup === undefined) continue
    const text = await lookUp(lookup, env, labels)
    if (!text) return []
    selector[key] = text
  }
  if (rule.labels) selector.labels = rule.labels
  return isEmpty(selector) ? [] : [selector]
}

/** The text of one lookup; nothing when its expression cannot be evaluated for this item. */
export async function lookUp(lookup: Lookup, env: Env, labels: Record<string, string>): Promise<string | undefined> {
  if (typeof lookup === 'string') return lookup
  if (lookup.expr) {
    try {
      return (await expressions.evaluate({ expr: lookup.expr }, env)).text.trim()
    } catch (error) {
      if (error instanceof ExpressionError) return undefined
      throw error
    }
  }
  return lookup.label ? labels[lookup.label] : lookup.value
}

const textsOf = (map: object): Record<string, string> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, asText(value) ?? '']))

/** Agent and scope only narrow; alone they would mean everything. */
const isEmpty = ({ agent: _, scope: __, ...rest }: RelationSelector): boolean =>
  Object.keys(rest).length === 0 ||
  (Object.keys(rest).length === 1 && rest.labels && Object.keys(rest.labels).length === 0) === true
