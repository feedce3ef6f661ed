import type { Sql } from '../../../platform/db/db.ts'
import { breather } from './breathe.ts'
import { canonical, type Json } from './canonical.ts'
import type { CatalogItem } from './catalog-item.ts'
import { diffDocuments } from './diff.ts'
import { configsOf, insertItems, type Known, lockItems, type StateRow, updateItems, writeStates } from './items.sql.ts'
import { type ChangeRules, judgeChange } from './judge-change.ts'
import { type Authors, changeRow } from './store-changes.ts'
import { type DocumentStep, storeDiffs } from './store-diffs.ts'

export interface Entry {
  item: CatalogItem
  rules: ChangeRules | undefined
  known: Known | undefined
}

export interface WriteOptions {
  scraperId: string | null
  at: Date
  windowMs: number
  diffs: boolean
  authors: Authors
  /** Told of a diff that a rule left out. */
  ignored(type: string, changeType: string): void
}

/** Stores new and changed items in one transaction, the changed ones with a change and the way back. */
export async function writeItems(sql: Sql, entries: readonly Entry[], options: WriteOptions): Promise<void> {
  await insertNew(
    sql,
    entries.filter(({ known }) => !known).map(({ item }) => item),
    options,
  )
  await updateChanged(
    sql,
    entries.filter(({ known }) => known),
    options,
  )
}

async function insertNew(sql: Sql, items: readonly CatalogItem[], { scraperId, at }: WriteOptions): Promise<void> {
  if (items.length === 0) return
  const stored = new Set(await insertItems(sql, items, scraperId, at))
  await writeStates(
    sql,
    items.filter(({ id }) => stored.has(id)).map((item) => stateOf(item, { steps: 0, lastDiff: null })),
  )
}

const stateOf = (item: CatalogItem, { steps, lastDiff }: { steps: number; lastDiff: string | null }): StateRow => ({
  config_id: item.id,
  item_hash: item.itemHash,
  config_hash: item.configHash,
  steps,
  last_diff: lastDiff,
})

async function updateChanged(sql: Sql, entries: readonly Entry[], options: WriteOptions): Promise<void> {
  if (entries.length === 0) return
  const { scraperId, at } = options
  const locked = new Map(
    (
      await lockItems(
        sql,
        entries.map(({ item }) => item.id),
      )
    ).map((row) => [row.id, row]),
  )
  // Judged by what is stored now: another scraper may have written since the items were looked up.
  const present = entries.filter(({ item }) => locked.has(item.id))
  const differs = ({ item }: Entry) => !locked.get(item.id)!.config_hash?.equals(item.configHash)
  const changed = present.filter(differs)
  const configs = await configsOf(
    sql,
    changed.map(({ item }) => item.id),
  )
  const breathe = breather()
  const steps: DocumentStep[] = []
  for (const entry of changed) {
    const config = configs.get(entry.item.id)
    if (config === undefined || config === null) continue
    const step = await stepOf(entry, config, locked.get(entry.item.id)!, options)
    if (step) steps.push(step)
    await breathe()
  }
  const positions = await storeDiffs(sql, steps, options.windowMs)
  const without = present.filter((entry) => !differs(entry)).map(({ item }) => item)
  await updateItems(
    sql,
    changed.map(({ item }) => item),
    scraperId,
    at,
    { withConfig: true },
  )
  await updateItems(sql, without, scraperId, at, { withConfig: false })
  await writeStates(
    sql,
    present.map(({ item }) => {
      const row = locked.get(item.id)!
      return stateOf(item, positions.get(item.id) ?? { steps: row.steps ?? 0, lastDiff: row.last_diff })
    }),
  )
}

async function stepOf(
  { item, rules }: Entry,
  stored: Json,
  row: { steps: number | null; last_diff: string | null },
  { at, authors, diffs, ignored }: WriteOptions,
): Promise<DocumentStep | undefined> {
  const before = canonical(stored)
  const found = diffDocuments(before, item.config)
  if (!found) return undefined
  const { diff, patches, summary, undo } = found
  const draft = { changeType: 'diff', diff, patches, summary, source: item.source ?? undefined, createdAt: at }
  const subject = { type: item.type, config: () => item.config, ignoreChanges: item.ignoreChanges }
  const change = diffs ? await judgeChange(draft, subject, rules) : undefined
  if (diffs && !change) ignored(item.type, 'diff')
  const place = { configId: item.id, before, undo, steps: row.steps ?? 0, lastDiff: row.last_diff }
  return { ...place, row: change && changeRow(item.id, change, authors, at) }
}
