import { type CostWindow, costWindows, type SummaryRequest, type SummaryRow } from '@quarterdeck/contract/catalog-read'
import { parseDuration } from '@quarterdeck/contract/schedule'
import type { Context } from '../../../context.ts'
import { sharedRead } from '../../../platform/db/shared-read.ts'
import { badRequest } from '../../../platform/errors.ts'
import { listOn, type Param, tagConditions } from './conditions.ts'
import { changesByGroup, findingsByGroup, type Grouping, groupId, itemsByGroup, markOfCatalog } from './summary.sql.ts'
import { WindowCounts } from './window-counts.ts'

/** Rows of the catalog's front page, or null when no item matches. */
export type Summary = SummaryRow[] | null

const columns: Record<string, string> = { type: 'i.type', config_class: 'i.config_class' }

/** An answer is given again while nothing in the catalog changed, but not for long: its windows move with the clock. */
const longestKept = 10_000
const mostKept = 200

/**
 * Answers POST /catalog/summary; one of it lives as long as the server. Who asks the same at the same time shares one
 * look at the catalog.
 */
export function catalogSummary() {
  const asked = new Map<string, () => Promise<Summary>>()
  const changes = new WindowCounts()
  const keeping = (ctx: Context, question: Question): (() => Promise<Summary>) => {
    let kept: { mark: string; at: number; summary: Summary } | undefined
    return sharedRead(async () => {
      const now = ctx.clock.now().getTime()
      // Read before the answer is made: what changes in between is then seen by the next reader.
      const mark = await markOfCatalog(ctx.db)
      if (kept && kept.mark === mark && now - kept.at < longestKept) return kept.summary
      const summary = await answer(ctx, question, changes)
      kept = { mark, at: now, summary }
      return summary
    })
  }
  return (ctx: Context, request: SummaryRequest): Promise<Summary> => {
    const question = readQuestion(request, ctx.clock.now())
    let ask = asked.get(question.key)
    if (!ask) {
      asked.set(question.key, (ask = keeping(ctx, question)))
      if (asked.size > mostKept) asked.delete(asked.keys().next().value!)
    }
    return ask()
  }
}

interface Question {
  /** The same for everybody who asks the same. */
  key: string
  /** The part of the key that says which items, grouped how. */
  groupingKey: string
  names: string[]
  grouping: Grouping
  cost?: CostWindow
  /** Milliseconds back from now. */
  changes?: number
  analysis?: number
}

function readQuestion(request: SummaryRequest, now: Date): Question {
  const names = [...new Set([...(request.groupBy?.length ? request.groupBy : ['type']), ...(request.tags ?? [])])]
  if ([...names, ...Object.entries(request.filter ?? {}).flat()].some((word) => word.includes('\0')))
    throw badRequest('A group or label cannot hold a null character')
  const grouping: Grouping = {
    keys: (param) => names.map((name) => columnOf(name, param)),
    where: (param) =>
      [
        request.deleted ? undefined : 'i.deleted_at is null',
        ...Object.entries(request.filter ?? {}).map(
          ([key, value]) => `i.labels @> jsonb_build_object(${param(key)}::text, ${param(value)}::text)`,
        ),
        listOn('status', request.status, 'i.status', param),
        listOn('health', request.health, 'i.health', param),
        ...tagConditions('tag_selector', request.tag_selector, 'i.tags', param),
      ].filter((condition) => condition !== undefined),
  }
  const question: Omit<Question, 'key' | 'groupingKey'> = {
    names,
    grouping,
    cost: costOf(request.cost),
    changes: spanOf('changes', request.changes?.since, now),
    analysis: spanOf('analysis', request.analysis?.since, now),
  }
  // Reading them once here refuses a wrong filter before anything runs.
  grouping.where(() => '$1')
  const groupingKey = JSON.stringify([
    names,
    request.deleted ?? false,
    Object.entries(request.filter ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)),
    request.status ?? '',
    request.health ?? '',
    request.tag_selector ?? '',
  ])
  const key = JSON.stringify([groupingKey, question.cost, question.changes, question.analysis])
  return { ...question, groupingKey, key }
}

function columnOf(name: string, param: Param): string {
  return Object.hasOwn(columns, name) ? columns[name]! : `i.tags ->> ${param(name)}::text`
}

function costOf(cost: string | null | undefined): CostWindow | undefined {
  if (!cost) return undefined
  const window = costWindows.find((known) => known === cost)
  if (!window) throw badRequest(`cost range is not allowed. Allowed: ${costWindows.join(', ')}`)
  return window
}

function spanOf(name: string, since: string | null | undefined, now: Date): number | undefined {
  if (!since) return undefined
  const span = parseDuration(since)
  if (span === undefined || !(span >= 0) || span > now.getTime())
    throw badRequest(`${name}.since is no duration: "${since}"`, null, 'Write 30d, 12h or 90m.')
  return span
}

async function answer(ctx: Context, question: Question, counted: WindowCounts): Promise<Summary> {
  const { grouping, names } = question
  const now = ctx.clock.now()
  const back = (span: number) => new Date(now.getTime() - span)
  const [items, changes, findings] = await Promise.all([
    itemsByGroup(ctx.db, grouping, question.cost),
    question.changes === undefined
      ? undefined
      : counted.count(
          JSON.stringify([question.groupingKey, question.changes]),
          // A change may carry a time of its source's clock, which runs ahead of ours.
          { from: back(question.changes), to: new Date(now.getTime() + 86_400_000) },
          now,
          (from, to) => changesByGroup(ctx.db, grouping, from, to),
        ),
    question.analysis === undefined ? undefined : findingsByGroup(ctx.db, grouping, back(question.analysis)),
  ])
  const rows = new Map<string, SummaryRow>()
  for (const item of items) {
    const id = groupId(item.keys)
    let row = rows.get(id)
    if (!row) {
      const keys = Object.fromEntries(names.map((name, index) => [name, item.keys[index] ?? null]))
      row = { ...keys, health: null, created_at: null, updated_at: null, count: 0 }
      if (question.cost) row[`cost_${question.cost}`] = row[`cost_total_${question.cost}`] = null
      if (question.changes !== undefined) row.changes = changes?.get(id) || null
      if (question.analysis !== undefined) row.analysis = findings?.get(id) ?? null
      rows.set(id, row)
    }
    row.count += item.count
    if (item.health !== null) row.health = { ...row.health, [item.health]: item.count }
    row.created_at = later(row.created_at, item.created_at)
    row.updated_at = later(row.updated_at, item.updated_at)
    if (question.cost && item.cost !== null) {
      const sum = Number(row[`cost_total_${question.cost}`] ?? 0) + item.cost
      // Clients read either name.
      row[`cost_${question.cost}`] = row[`cost_total_${question.cost}`] = Math.round(sum * 10_000) / 10_000
    }
  }
  return rows.size > 0 ? [...rows.values()] : null
}

function later(known: string | null | undefined, other: Date | null): string | null {
  const text = other?.toISOString() ?? null
  return !known || (text && text > known) ? text : known
}
