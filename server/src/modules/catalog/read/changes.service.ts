import {
  type ChangesAnswer,
  type ChangesRequest,
  changeSortColumns,
  type Recursion,
  recursions,
} from '@quarterdeck/contract/catalog-read'
import { changeSeverities } from '@quarterdeck/contract/catalog-words'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/db.ts'
import { badRequest } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/selectors/kinds.ts'
import { type ChangeFilter, countChanges, orderOf, type Page, pageAround, pageOfChanges } from './changes.sql.ts'
import {
  agentCondition,
  authorCondition,
  idCondition,
  itemsOf,
  listOn,
  momentOf,
  type Param,
  tagConditions,
} from './conditions.ts'
import { WindowCounts } from './window-counts.ts'

/** Answers POST /catalog/changes; one of it lives as long as the server. */
export function changeSearch() {
  const counted = new WindowCounts()
  const pageOfAll = async (db: Db, { filter, page, key }: Question, now: Date) => {
    const [changes, counts] = await Promise.all([
      pageOfChanges(db, filter, page),
      counted.count(key, page, now, async (from, to) => new Map([['', await countChanges(db, filter, from, to)]])),
    ])
    return { changes, total: counts.get('') ?? 0 }
  }
  return async (ctx: Context, request: ChangesRequest): Promise<ChangesAnswer> => {
    const now = ctx.clock.now()
    const question = readQuestion(request, now)
    const { filter, page } = question
    const { changes, total } = await (filter.around
      ? pageAround(ctx.db, filter, page)
      : pageOfAll(ctx.db, question, now))
    // A kept count may lag behind a clean-up; what is on the page is there in any case.
    const seen = Math.max(total, changes.length > 0 ? page.offset + changes.length : 0)
    const answer: ChangesAnswer = {}
    if (changes.length > 0) answer.summary = countTypes(changes)
    if (seen > 0) answer.total = seen
    if (changes.length > 0) answer.changes = changes
    return answer
  }
}

function countTypes(changes: readonly { change_type?: string | null }[]): Record<string, number> {
  const types = new Map<string, number>()
  for (const { change_type: type } of changes) types.set(type ?? '', (types.get(type ?? '') ?? 0) + 1)
  return Object.fromEntries(types)
}

interface Question {
  filter: ChangeFilter
  page: Page
  /** Equal for questions that differ only in their page. */
  key: string
}

function readQuestion(request: ChangesRequest, now: Date): Question {
  const window = windowOf(request, now)
  const recursive = recursionOf(request.recursive)
  const id = request.id?.trim() ?? ''
  const around = isUuid(id) ? { id, recursive, depth: request.depth ?? 5 } : undefined
  const filter: ChangeFilter = {
    around,
    includeDeleted: request.include_deleted_configs ?? false,
    change: (param) =>
      present([
        around ? undefined : idCondition(itemsOf('id', id), 'c.config_id', param),
        listOn('type', request.type, 'c.change_type', param),
        severityCondition(request.severity, param),
        listOn('source', request.source, 'c.source', param),
        listOn('summary', request.summary, 'c.summary', param),
        authorCondition(request.created_by, param),
      ]),
    item: (param) =>
      present([
        listOn('config_type', request.config_type, 'i.type', param),
        agentCondition(request.agent_id, 'i.agent_id', param),
        ...tagConditions('tags', request.tags, 'i.tags', param),
      ]),
  }
  // Reading them once here refuses a wrong filter before anything runs.
  filter.change(() => '$1')
  filter.item(() => '$1')
  const size = request.page_size ?? 50
  const page = { ...window, order: sortOf(request.sort_by), limit: size, offset: ((request.page ?? 1) - 1) * size }
  const { page: _page, page_size: _size, sort_by: _sort, ...rest } = request
  return { filter, page, key: JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))) }
}

const present = (conditions: (string | undefined)[]) => conditions.filter((condition) => condition !== undefined)

function windowOf({ from, to }: ChangesRequest, now: Date): { from: Date; to: Date } {
  const end = to ? momentOf('to', to, now) : undefined
  const start = from ? momentOf('from', from, now) : end ? new Date(0) : momentOf('from', 'now-2d', now)
  // "Until now" is open: a change may carry a time of its source's clock, which runs ahead of ours.
  const open = end === undefined || end.getTime() === now.getTime()
  const until = open ? new Date(now.getTime() + 86_400_000) : end
  if (start >= until) throw badRequest("bad request: 'from' must be before 'to'")
  return { from: start, to: until }
}

function recursionOf(word: string | null | undefined): Recursion {
  const known = recursions.find((each) => each === (word || 'downstream'))
  if (!known) throw badRequest(`bad request: 'recursive' must be one of ${recursions.join(', ')}`)
  return known
}

function sortOf(sort: string | null | undefined): Page['order'] {
  if (!sort) return { column: 'created_at', desc: true }
  const desc = sort.startsWith('-')
  const column = desc ? sort.slice(1) : sort
  if (!Object.hasOwn(orderOf, column))
    throw badRequest(
      `bad request: invalid 'sort_by' param: ${column.slice(0, 80)}`,
      null,
      `Sort by one of ${changeSortColumns.join(', ')}; a leading - turns the order round.`,
    )
  return { column, desc }
}

/** A severity is the least that is wanted; several are exactly those; with `!` they are left out. */
function severityCondition(list: string | null | undefined, param: Param): string | undefined {
  const items = itemsOf('severity', list).map((item) => item.toLowerCase())
  const [only] = items
  if (items.length === 1 && !only!.startsWith('!')) {
    const floor = changeSeverities.findIndex((severity) => severity === only)
    // The least of all, or a word nobody knows, asks for nothing.
    if (floor < 0 || floor === changeSeverities.length - 1) return undefined
    // As text, so that the index on severe changes is seen to fit.
    return `c.severity in (${changeSeverities
      .slice(0, floor + 1)
      .map((severity) => `'${severity}'`)
      .join(', ')})`
  }
  return listOn('severity', items.join(','), 'c.severity', param)
}
