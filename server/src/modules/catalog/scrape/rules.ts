import { ExpressionError } from '../../../platform/expressions/errors.ts'
import { type Env, sharedExpressions } from '../../../platform/expressions/expressions.ts'
import { InvalidScraper, type KindSpec } from '../kinds/kind.ts'
import { checkPath, isPath } from './paths.ts'

const expressions = sharedExpressions()

/** Whether a rule applies; one that cannot be evaluated for this item does not. */
export async function applies(expr: string, env: Env): Promise<boolean> {
  try {
    return await expressions.isTrue({ expr }, env)
  } catch (error) {
    if (error instanceof ExpressionError) return false
    throw error
  }
}

/** Every expression and path of a spec, read before anything is scraped: a mask that is misspelt must not let a secret through. */
export function checkRules(spec: KindSpec): void {
  const { transform = {} } = spec
  const expr = (text: string | undefined, where: string) => problem(text && { expr: text }, where)
  const path = (text: string | undefined, where: string) => {
    if (text !== undefined && text !== '') problemOf(() => checkPath(text), where)
  }
  for (const field of ['id', 'type', 'class', 'name', 'description', 'status', 'health'] as const)
    if (spec[field] && isPath(spec[field])) path(spec[field], field)
  path(spec.items, 'items')
  path(transform.jsonpath, 'transform.jsonpath')
  expr(transform.expr, 'transform.expr')
  problem(transform.gotemplate ? { template: transform.gotemplate } : undefined, 'transform.gotemplate')
  for (const field of [...(spec.createFields ?? []), ...(spec.deleteFields ?? [])]) path(field, 'createFields')
  for (const tag of spec.tags ?? []) path(tag.jsonpath, `tags.${tag.name}`)
  for (const [index, rule] of (transform.exclude ?? []).entries()) path(rule.jsonpath, `transform.exclude[${index}]`)
  for (const [index, rule] of (transform.mask ?? []).entries()) {
    expr(rule.selector, `transform.mask[${index}].selector`)
    path(rule.jsonpath, `transform.mask[${index}].jsonpath`)
  }
  for (const [index, rule] of (transform.relationship ?? []).entries()) {
    expr(rule.filter, `transform.relationship[${index}].filter`)
    expr(rule.expr, `transform.relationship[${index}].expr`)
  }
  for (const [index, rule] of (transform.changes?.mapping ?? []).entries())
    expr(rule.filter, `transform.changes.mapping[${index}].filter`)
  for (const [index, rule] of (transform.changes?.exclude ?? []).entries())
    expr(rule, `transform.changes.exclude[${index}]`)
  for (const property of spec.properties ?? []) expr(property.filter, `properties.${property.name}.filter`)
}

function problem(template: { expr?: string; template?: string } | undefined | '', where: string): void {
  const found = template ? expressions.check(template) : undefined
  if (found) throw new InvalidScraper(`${where}: ${found.message}`)
}

function problemOf(check: () => void, where: string): void {
  try {
    check()
  } catch (error) {
    throw new InvalidScraper(`${where}: ${(error as Error).message}`)
  }
}
