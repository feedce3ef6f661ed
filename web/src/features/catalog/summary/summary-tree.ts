import type { SummaryRow } from '@quarterdeck/contract/catalog-read'
import { providerName } from '@/entities/config/config.ts'
import type { TriState } from '@quarterdeck/contract/tri-state'
import { defaultGroups, tagOf } from '../catalog.filters.ts'

type Tally = Record<string, number>

/** A line of the summary: a group of the server, or several of them under one heading. */
export interface SummaryNode {
  key: string
  label: string
  /** What the label is: a provider, a type, or the value of a tag. */
  group: string
  /** The type, when everything below is of one. */
  type?: string
  /** Where it leads: what narrows the list to this line. */
  labels: Record<string, string>
  /** Of items without a tag: every value the tag has elsewhere, left out. */
  tags: TriState
  count: number
  health: Tally
  changes: number
  analysis: Tally
  cost: number | undefined
  created_at: string | undefined
  updated_at: string | undefined
  isFavourite: boolean
  /** Its provider stands above it already. */
  isUnderProvider?: boolean
  children?: SummaryNode[]
}

/** Stands for the items that have no such tag. */
export const noValue = '(none)'

/** The summary as a tree, one level per group; favourite types come first, outside their groups. */
export function summaryTree(
  rows: readonly SummaryRow[],
  groupBy: readonly string[],
  favourites: readonly string[],
): SummaryNode[] {
  const groups = groupsOf(groupBy)
  const byType = groups.includes('type')
  const pinned = byType ? rows.filter((row) => favourites.includes(row.type ?? '')) : []
  const rest = pinned.length > 0 ? rows.filter((row) => !pinned.includes(row)) : rows
  const first = mergeTypes(pinned).map((row) => ({ ...leaf(row, ['type'], 'pinned'), isFavourite: true }))
  return [...first, ...level(rest, groups, [], { labels: {}, tags: {} }, rows)]
}

/** The provider is part of a type, so asking for it alone shows the types below it all the same. */
function groupsOf(groupBy: readonly string[]): string[] {
  const groups = groupBy.length > 0 ? [...groupBy] : [...defaultGroups]
  if (groups.includes('config_class') && !groups.includes('type')) groups.push('type')
  return groups
}

function level(
  rows: readonly SummaryRow[],
  groups: readonly string[],
  path: readonly string[],
  way: Pick<SummaryNode, 'labels' | 'tags'>,
  all: readonly SummaryRow[],
): SummaryNode[] {
  const [group, ...rest] = groups
  if (group === undefined) return []
  const parts = new Map<string, SummaryRow[]>()
  for (const row of rows) {
    const value = valueOf(row, group)
    const part = parts.get(value ?? '')
    if (part) part.push(row)
    else parts.set(value ?? '', [row])
  }
  return [...parts].map(([value, part]) => {
    const here = [...path, `${group}=${value}`]
    const tag = tagOf(group)
    const inner = tag ? narrowedTo(way, tag, value, all) : way
    if (rest.length === 0)
      return {
        ...leaf(sum(part), groups, here.join('/')),
        label: value || noValue,
        group,
        ...inner,
        ...typeOf(group, value),
        isUnderProvider: value.includes('::') && path.some((part) => part.startsWith('config_class=')),
      }
    const children = level(part, rest, here, inner, all)
    // One line under a heading needs no heading.
    if (children.length === 1 && group === 'config_class') return { ...children[0]!, isUnderProvider: false }
    return {
      ...leaf(sum(part), groups, here.join('/')),
      label: value || noValue,
      group,
      ...inner,
      type: undefined,
      children,
    }
  })
}

/** An address bears so many values of a tag that are left out. */
const mostLeftOut = 50

/** What leads to the items with a value of a tag, or to those without the tag. */
function narrowedTo(
  { labels, tags }: Pick<SummaryNode, 'labels' | 'tags'>,
  tag: string,
  value: string,
  all: readonly SummaryRow[],
): Pick<SummaryNode, 'labels' | 'tags'> {
  if (value !== '') return { labels: { ...labels, [tag]: value }, tags }
  const values = [...new Set(all.map((row) => row[tag]))].filter((each) => typeof each === 'string' && each !== '')
  if (values.length > mostLeftOut) return { labels, tags }
  return { labels, tags: { ...tags, ...Object.fromEntries(values.map((each) => [`${tag}:${String(each)}`, -1])) } }
}

const typeOf = (group: string, value: string) => (group === 'type' ? { type: value } : { type: undefined })

function valueOf(row: SummaryRow, group: string): string | undefined {
  if (group === 'config_class') return row.type ? providerName(row.type) : undefined
  const value = row[tagOf(group) ?? group]
  return typeof value === 'string' ? value : undefined
}

/** A type that several tag groups share is one favourite. */
function mergeTypes(rows: readonly SummaryRow[]): SummaryRow[] {
  const types = new Map<string, SummaryRow[]>()
  for (const row of rows) types.set(row.type ?? '', [...(types.get(row.type ?? '') ?? []), row])
  return [...types].map(([type, parts]) => ({ ...sum(parts), type }))
}

function leaf(row: SummaryRow, groups: readonly string[], key: string): SummaryNode {
  return {
    key: key === 'pinned' ? `pinned/${row.type}` : key,
    label: row.type ?? noValue,
    group: groups[0] ?? 'type',
    type: row.type ?? undefined,
    labels: {},
    tags: {},
    count: row.count,
    health: row.health ?? {},
    changes: row.changes ?? 0,
    analysis: row.analysis ?? {},
    cost: costOf(row),
    created_at: row.created_at ?? undefined,
    updated_at: row.updated_at ?? undefined,
    isFavourite: false,
  }
}

const addTallies = (tallies: (Tally | null | undefined)[]): Tally => {
  const total: Tally = {}
  for (const tally of tallies)
    for (const [name, count] of Object.entries(tally ?? {})) total[name] = (total[name] ?? 0) + count
  return total
}
const latest = (times: (string | null | undefined)[]) => times.reduce((a, b) => (!a || (b && b > a) ? b : a), undefined)

/** Several rows as one. */
function sum(rows: readonly SummaryRow[]): SummaryRow {
  if (rows.length === 1) return rows[0]!
  const costs = rows.map(costOf).filter((cost) => cost !== undefined)
  return {
    type: rows[0]?.type,
    count: rows.reduce((total, row) => total + row.count, 0),
    health: addTallies(rows.map((row) => row.health)),
    changes: rows.reduce((total, row) => total + (row.changes ?? 0), 0),
    analysis: addTallies(rows.map((row) => row.analysis)),
    cost_total_30d: costs.length > 0 ? costs.reduce((a, b) => a + b, 0) : undefined,
    created_at: latest(rows.map((row) => row.created_at)),
    updated_at: latest(rows.map((row) => row.updated_at)),
  }
}

/** Servers of the reference API name the sum after the window only. */
function costOf(row: SummaryRow): number | undefined {
  const cost = row.cost_total_30d ?? row.cost_30d
  return typeof cost === 'number' ? cost : undefined
}
