import { parseDateMath } from '@quarterdeck/contract/date-math'
import { badRequest } from '../../../platform/errors.ts'
import { isLocalAgent, isUuid, nilAgent } from '../../../platform/selectors/kinds.ts'
import { listCondition } from '../../../platform/selectors/match-list.ts'
import { parseRequirements, SelectorError } from '../../../platform/selectors/requirements.ts'
import { labelCondition } from '../../../platform/selectors/selector.sql.ts'

/** Hands over a value and gives its place in the statement: $1, $2 … */
export type Param = (value: unknown) => string

/** Values of a statement in the making. */
export function parameters(): { values: unknown[]; param: Param } {
  const values: unknown[] = []
  return { values, param: (value) => `$${values.push(value)}` }
}

/** A comma list such as `a,!b,c*` as its items; what a text cannot hold is refused here. */
export function itemsOf(name: string, list: string | null | undefined): string[] {
  if (list?.includes('\0')) throw badRequest(`${name} cannot hold a null character`)
  return (list ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '' && item !== '!')
}

/** A condition on a text column by such a list; undefined when it asks for nothing. */
export const listOn = (name: string, list: string | null | undefined, column: string, param: Param) =>
  listCondition(itemsOf(name, list), column, param)

/** Conditions on the tags of an item by a selector such as `region in (eu,us),env!=dev`. */
export function tagConditions(
  name: string,
  selector: string | null | undefined,
  column: string,
  param: Param,
): string[] {
  if (!selector) return []
  if (selector.includes('\0')) throw badRequest(`${name} cannot hold a null character`)
  try {
    return parseRequirements(selector).map((requirement) => labelCondition(column, requirement, param))
  } catch (error) {
    throw error instanceof SelectorError ? badRequest(error.message) : error
  }
}

const split = (items: readonly string[]) => ({
  wanted: items.filter((item) => !item.startsWith('!')),
  unwanted: items.filter((item) => item.startsWith('!')).map((item) => item.slice(1)),
})

/** Wanted and unwanted ids on a uuid column; what is no id matches nothing. */
export function idCondition(items: readonly string[], column: string, param: Param): string | undefined {
  const { wanted, unwanted } = split(items)
  const parts: string[] = []
  if (wanted.length > 0) parts.push(`${column} = any(${param(wanted.filter(isUuid))}::uuid[])`)
  const excluded = unwanted.filter(isUuid)
  if (excluded.length > 0) parts.push(`(${column} is null or ${column} <> all(${param(excluded)}::uuid[]))`)
  return parts.length > 0 ? parts.join(' and ') : undefined
}

/** Agents by id; `local` is this server itself. */
export const agentCondition = (list: string | null | undefined, column: string, param: Param) =>
  idCondition(
    itemsOf('agent_id', list).map((item) => {
      const [sign, name] = item.startsWith('!') ? ['!', item.slice(1)] : ['', item]
      return sign + (isLocalAgent(name) ? nilAgent : name)
    }),
    column,
    param,
  )

/** Authors: people by id, everybody else by the name their system gave. */
export function authorCondition(list: string | null | undefined, param: Param): string | undefined {
  const { wanted, unwanted } = split(itemsOf('created_by', list))
  const of = (items: string[]) => {
    const people = items.filter(isUuid)
    const names = items.filter((item) => !isUuid(item))
    return [
      ...(people.length > 0 ? [`coalesce(c.created_by = any(${param(people)}::uuid[]), false)`] : []),
      ...(names.length > 0 ? [`coalesce(${listCondition(names, 'c.external_created_by', param)}, false)`] : []),
    ].join(' or ')
  }
  const parts = [
    ...(wanted.length > 0 ? [`(${of(wanted)})`] : []),
    ...(unwanted.length > 0 ? [`not (${of(unwanted)})`] : []),
  ]
  return parts.length > 0 ? parts.join(' and ') : undefined
}

/** A moment written as date math or as a timestamp. */
export function momentOf(name: string, text: string, now: Date): Date {
  const moment = parseDateMath(text, { now })
  const year = moment?.getUTCFullYear() ?? 0
  if (moment && year >= 1 && year <= 9999) return moment
  throw badRequest(
    `bad request: '${name}' is no time: "${text.slice(0, 80)}"`,
    null,
    'Write now, now-2d, now-1d/d or a timestamp such as 2024-08-29T10:00:00Z.',
  )
}
