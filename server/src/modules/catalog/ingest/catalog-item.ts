import { createHash } from 'node:crypto'
import type { ItemCosts, ItemProperty, ItemRef, OwnChange, ScrapedAnalysis } from '../kinds/kind.ts'
import { canonical, type Json } from './canonical.ts'
import { rowIdOf } from './row-id.ts'

/** Which other items belong to an item, as a rule of the spec says it. */
export interface RelationSelector {
  id?: string
  external_id?: string
  name?: string
  namespace?: string
  type?: string
  agent?: string
  scope?: string
  labels?: Record<string, string>
}

/** An item as a scrape found it, checked and in the form in which it is stored. */
export interface CatalogItem {
  id: string
  externalIds: string[]
  type: string
  configClass: string
  name: string
  description: string | null
  status: string | null
  health: string | null
  ready: boolean | null
  icon: string | null
  source: string | null
  config: Json
  labels: Record<string, string>
  tags: Record<string, string>
  properties: ItemProperty[] | null
  createdAt: Date | null
  deletedAt: Date | null
  deleteReason: string | null
  costs: ItemCosts | null
  isShared: boolean
  parents: ItemRef[]
  children: ItemRef[]
  relationships: { to: ItemRef; relation: string; parent: boolean }[]
  selectors: { selector: RelationSelector; relation: string; parent: boolean }[]
  changes: OwnChange[]
  analyses: Omit<ScrapedAnalysis, 'item'>[]
  ignoreChanges: string[]
  configHash: Buffer
  itemHash: Buffer
  /** Bytes of its document, for batches of a bearable size. */
  size: number
}

export class ItemRefused extends Error {
  override name = 'ItemRefused'
}

export const maxConfigBytes = 10 * 1024 * 1024
const maxLabels = 1000
const maxExternalId = 1000
const maxWord = 250
const maxName = 1000
const maxText = 20_000
const maxLabelValue = 4000

export type ItemDraft = Partial<Omit<CatalogItem, 'configHash' | 'itemHash' | 'size' | 'config'>> & {
  config: unknown
  /** The document is in its canonical form already. */
  isCanonical?: boolean
}

/** Checks a draft, bounds what would not fit into an index, and adds its hashes. Throws ItemRefused. */
export function finishItem(draft: ItemDraft, remark: (message: string) => void): CatalogItem {
  const type = word(draft.type, 'type')
  const externalIds = [...new Set(draft.externalIds ?? [])].filter((id) => id !== '').map(clean)
  if (!externalIds[0]) throw new ItemRefused('the item has no id')
  if (externalIds.some((id) => Buffer.byteLength(id) > maxExternalId))
    throw new ItemRefused(`the id is longer than ${maxExternalId} bytes`)
  let config: Json
  let text: string
  try {
    config = draft.isCanonical ? (draft.config as Json) : canonical(draft.config)
    text = JSON.stringify(config)
  } catch {
    throw new ItemRefused('the document is nested too deeply')
  }
  const size = Buffer.byteLength(text)
  if (size > maxConfigBytes)
    throw new ItemRefused(
      `the document has ${megabytes(size)} MB, more than the ${megabytes(maxConfigBytes)} MB that are stored`,
    )
  const configHash = createHash('sha256').update(text).digest()
  const name = bounded(clean(draft.name || externalIds[0]), maxName)
  const item = {
    id: draft.id ?? rowIdOf(type, externalIds[0]),
    externalIds: externalIds.slice(0, 50),
    type,
    configClass: draft.configClass ? word(draft.configClass, 'class') : type,
    name: name.trim() === '' ? externalIds[0] : name,
    description: text_(draft.description, maxText),
    status: text_(draft.status, maxWord),
    health: healthOf(draft.health),
    ready: draft.ready ?? null,
    icon: text_(draft.icon, maxWord),
    source: text_(draft.source, 2000),
    labels: labelsOf(draft.labels ?? {}, remark),
    tags: tagsOf(draft.tags ?? {}, remark),
    properties: draft.properties?.length ? (canonical(draft.properties) as unknown as ItemProperty[]) : null,
    createdAt: draft.createdAt ?? null,
    deletedAt: draft.deletedAt ?? null,
    deleteReason: draft.deletedAt ? (draft.deleteReason ?? 'FROM_DELETE_FIELD') : null,
    costs: draft.costs ?? null,
    isShared: draft.isShared ?? false,
  }
  const itemHash = createHash('sha256').update(JSON.stringify(item)).update(configHash).digest()
  return {
    ...item,
    config,
    parents: draft.parents ?? [],
    children: draft.children ?? [],
    relationships: draft.relationships ?? [],
    selectors: draft.selectors ?? [],
    changes: draft.changes ?? [],
    analyses: draft.analyses ?? [],
    ignoreChanges: draft.ignoreChanges ?? [],
    configHash,
    itemHash,
    size,
  }
}

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1)
const clean = (text: string): string =>
  text.includes('\0') || !text.isWellFormed() ? text.replaceAll('\0', '').toWellFormed() : text
const bounded = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text

function text_(value: string | null | undefined, length: number): string | null {
  if (value === undefined || value === null || value === '') return null
  return bounded(clean(value), length).toWellFormed()
}

function word(value: string | undefined, what: string): string {
  const text = clean(value ?? '').trim()
  if (text === '') throw new ItemRefused(`the item has no ${what}`)
  if (text.length > maxWord) throw new ItemRefused(`the ${what} is longer than ${maxWord} characters`)
  return text
}

const healths = ['healthy', 'unhealthy', 'warning', 'unknown']
function healthOf(value: string | null | undefined): string | null {
  const text = value?.trim().toLowerCase()
  if (!text) return null
  return healths.includes(text) ? text : 'unknown'
}

/** Every label is counted and indexed; what holds a million of them is no label. */
function labelsOf(labels: Record<string, string>, remark: (message: string) => void): Record<string, string> {
  const names = Object.keys(labels)
  if (names.length > maxLabels)
    remark(`the item has ${names.length} labels; the first ${maxLabels} by name were stored`)
  const kept = smallest(names, maxLabels)
  return Object.fromEntries(kept.map((name) => [clean(name), bounded(clean(String(labels[name])), maxLabelValue)]))
}

/** The first so many by name, in order, without sorting a million of them. */
function smallest(names: readonly string[], count: number): string[] {
  let kept: string[] = []
  let limit: string | undefined
  for (const name of names) {
    if (limit !== undefined && name >= limit) continue
    kept.push(name)
    if (kept.length < 2 * count) continue
    kept = kept.sort().slice(0, count)
    limit = kept.at(-1)
  }
  return kept.sort().slice(0, count)
}

const maxTags = 50
function tagsOf(tags: Record<string, string>, remark: (message: string) => void): Record<string, string> {
  const names = Object.keys(tags).sort()
  if (names.length > maxTags) remark(`the item has ${names.length} tags; the first ${maxTags} by name were stored`)
  return Object.fromEntries(
    names.slice(0, maxTags).map((name) => [clean(name), bounded(clean(String(tags[name])), maxWord)]),
  )
}
