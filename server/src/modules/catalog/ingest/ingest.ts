import type { Context } from '../../../context.ts'
import { durationProperty, isOn, type Properties } from '../../../platform/properties.ts'
import type { ItemRef, ScrapedAnalysis, ScrapedChange, ScrapedDeletion, ScrapedRelationship } from '../kinds/kind.ts'
import { findSelected } from '../relationships/find.sql.ts'
import { type Edge, storeRelationships } from '../relationships/store.ts'
import type { Problem } from '../scrape/extract.ts'
import { type Finding, storeAnalyses } from './analyses.ts'
import { authorsOf } from './authors.ts'
import { breather } from './breathe.ts'
import type { CatalogItem } from './catalog-item.ts'
import { configsOf, type Known, markDeleted, sweepStale, touchItems, writeParents } from './items.sql.ts'
import { type ChangeRules, judgeChange } from './judge-change.ts'
import { isUnchanged, matchItems } from './match.ts'
import { type Child, placeItems, storedAncestors } from './parents.ts'
import { chunks, References } from './references.ts'
import { rivalsOf } from './rivals.ts'
import { changeRow, storeChanges } from './store-changes.ts'
import { ScrapeSummary } from './summary.ts'
import { type Entry, writeItems, type WriteOptions } from './write-items.ts'

export interface IngestOptions {
  scraperId: string | null
  startedAt: Date
  properties: Properties
  /** Items may come several times, the last one counts; for what a watch tells. */
  repeatable?: boolean
}

const batchItems = 500
/** A source in which everything is wrong need not be told of line by line. */
const mostProblems = 2000
const batchBytes = 8 * 1024 * 1024

type Waiting<T> = { value: T; rules: ChangeRules | undefined }

/**
 * Takes in what a scrape finds and keeps the catalog in step with it: items in batches as they come, everything that
 * refers to items once all are there.
 */
export class Ingest {
  readonly summary = new ScrapeSummary()
  readonly problems: Problem[] = []
  /** Problems beyond those that were kept. */
  leftOut = 0
  /** Something may be missing, so nothing may go for not having been seen. */
  isPartial = false
  private buffer: { item: CatalogItem; rules: ChangeRules | undefined }[] = []
  private bytes = 0
  private readonly seen = new Map<string, string>()
  private readonly references: References
  private readonly parents: { id: string; name: string; refs: ItemRef[] }[] = []
  private readonly children: { parent: string; refs: ItemRef[] }[] = []
  /** Where items of this scrape hang already, so that only those that move are written. */
  private readonly places = new Map<string, Pick<Known, 'parent_id' | 'path'>>()
  private readonly links: Pick<CatalogItem, 'id' | 'relationships' | 'selectors'>[] = []
  private readonly relationships: ScrapedRelationship[] = []
  private readonly changes: Waiting<ScrapedChange>[] = []
  private readonly analyses: ScrapedAnalysis[] = []
  private readonly deletions: ScrapedDeletion[] = []
  private readonly ignoring = new Map<string, readonly string[]>()
  private readonly windowMs: number
  private readonly breathe = breather()

  constructor(
    private readonly ctx: Context,
    private readonly options: IngestOptions,
  ) {
    this.references = new References(ctx.db)
    this.windowMs = durationProperty(options.properties, 'changes.dedup.window', '1h')
  }

  problem(problem: Problem): void {
    if (problem.partial !== false) this.isPartial = true
    if (this.problems.length < mostProblems) this.problems.push(problem)
    else this.leftOut += 1
  }

  async add(item: CatalogItem, rules?: ChangeRules): Promise<void> {
    const again = this.options.repeatable ? this.buffer.findIndex((entry) => entry.item.id === item.id) : -1
    if (again >= 0) this.buffer[again] = { item, rules }
    else this.buffer.push({ item, rules })
    this.bytes += item.size
    if (this.buffer.length >= batchItems || this.bytes >= batchBytes) await this.flush()
    else await this.breathe()
  }

  change(change: ScrapedChange, rules?: ChangeRules): void {
    this.changes.push({ value: change, rules })
  }
  analysis(analysis: ScrapedAnalysis): void {
    this.analyses.push(analysis)
  }
  relationship(relationship: ScrapedRelationship): void {
    this.relationships.push(relationship)
  }
  deletion(deletion: ScrapedDeletion): void {
    this.deletions.push(deletion)
  }

  /** Stores what is waiting. `complete`: everything there is was seen, so what was not seen may go. */
  async finish({ complete, staleMs }: { complete: boolean; staleMs?: number }): Promise<void> {
    await this.flush()
    await this.storeParents()
    await this.storeLinks(complete)
    await this.storeChanges()
    await this.storeAnalyses(complete)
    await this.storeDeletions()
    if (complete && staleMs !== undefined && this.seen.size > 0) await this.sweep(staleMs)
  }

  private now = (): Date => this.ctx.clock.now()

  private async flush(): Promise<void> {
    const waiting = this.buffer
    if (waiting.length === 0) return
    this.buffer = []
    this.bytes = 0
    const known = await matchItems(
      this.ctx.db,
      waiting.map(({ item }) => item),
      this.options.scraperId,
    )
    const entries: Entry[] = []
    const touched: CatalogItem[] = []
    for (const { item, rules } of waiting) {
      const row = known.get(item.id)
      if (!this.accept(item, row, rules)) continue
      if (!row || !isUnchanged(item, row)) entries.push({ item, rules, known: row })
      else touched.push(item)
    }
    await touchItems(
      this.ctx.db,
      touched.map(({ id }) => id),
      this.now(),
    )
    for (const item of touched) this.summary.count(item.type, 'unchanged')
    for (const rival of await rivalsOf(this.ctx.db, entries, this.options.scraperId)) this.problem(rival)
    await this.write(entries)
  }

  /** Refuses what cannot be stored beside what is there, and remembers what refers to other items. */
  private accept(item: CatalogItem, row: Known | undefined, rules: ChangeRules | undefined): boolean {
    const name = item.externalIds[0]!
    const twin = this.seen.get(item.id)
    if (twin !== undefined && !this.options.repeatable) {
      this.problem({ message: `two items have the id ${name}; the first was stored`, item: name, partial: false })
      return false
    }
    if (row && row.agent_id !== '00000000-0000-0000-0000-000000000000') {
      this.problem({ message: 'an agent already keeps this item', item: name, partial: false })
      return false
    }
    if (row?.config_hash && !row.config_hash.equals(item.configHash) && isEmpty(item)) {
      this.problem({ message: 'the document is empty; the stored one was kept', item: name, partial: false })
      this.seen.set(item.id, name)
      return false
    }
    if (row && row.type !== item.type)
      this.problem({ message: `the type changed from ${row.type} to ${item.type}`, item: name, partial: false })
    this.seen.set(item.id, name)
    this.references.add(item.id, item.type, item.externalIds)
    const { id, relationships, selectors } = item
    if (row?.parent_id) this.places.set(id, { parent_id: row.parent_id, path: row.path })
    if (item.parents.length > 0) this.parents.push({ id, name, refs: item.parents })
    if (item.children.length > 0) this.children.push({ parent: id, refs: item.children })
    if (relationships.length + selectors.length > 0) this.links.push({ id, relationships, selectors })
    if (item.ignoreChanges.length > 0) this.ignoring.set(id, item.ignoreChanges)
    for (const change of item.changes) this.changes.push({ value: { ...change, item: change.item ?? { id } }, rules })
    for (const analysis of item.analyses) this.analyses.push({ ...analysis, item: { id } })
    return true
  }

  private async write(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return
    const ignored: [string, string][] = []
    const options: WriteOptions = {
      scraperId: this.options.scraperId,
      at: this.now(),
      windowMs: this.windowMs,
      diffs: !isOn(this.options.properties.get('scraper.diff.disable')),
      authors: await authorsOf(this.ctx.db, []),
      ignored: (type, changeType) => ignored.push([type, changeType]),
    }
    try {
      await this.ctx.db.tx((sql) => writeItems(sql, entries, options))
    } catch (error) {
      // One item that the database refuses must not take the others along.
      if (entries.length === 1) {
        const { item, known } = entries[0]!
        if (!known) this.references.forget(item.id)
        const name = item.externalIds[0]
        return this.problem({ message: `could not be stored: ${(error as Error).message}`, item: name })
      }
      for (const half of chunks(entries, Math.ceil(entries.length / 2))) await this.write(half)
      return
    }
    for (const { item, known } of entries) {
      this.summary.count(item.type, known ? 'updated' : 'added')
    }
    for (const [type, changeType] of ignored) this.summary.leftOut(type, 'ignored', changeType)
  }

  private async storeParents(): Promise<void> {
    const { references } = this
    await references.load([...this.parents, ...this.children].flatMap(({ refs }) => refs))
    const wanted = new Map<string, Child>()
    const names = new Map<string, string>()
    const candidatesOf = (id: string) => {
      const child = wanted.get(id) ?? { id, candidates: [] }
      wanted.set(id, child)
      return child.candidates
    }
    for (const { parent, refs } of this.children) {
      for (const child of refs.map((ref) => references.find(ref)))
        if (child && child !== parent) candidatesOf(child).push(parent)
    }
    for (const { id, name, refs } of this.parents) {
      const found = refs.map((ref) => references.find(ref)).filter((one): one is string => one !== undefined)
      if (found.length > 0) candidatesOf(id).push(...found)
      names.set(id, name)
    }
    if (wanted.size === 0) return
    const outside = [...wanted.values()].flatMap(({ candidates }) => candidates).filter((id) => !wanted.has(id))
    const placed = placeItems([...wanted.values()], await storedAncestors(this.ctx.db, outside), (id) =>
      this.problem({
        message: 'its parents lead back to itself; the loop was cut here',
        item: names.get(id) ?? this.seen.get(id) ?? id,
        partial: false,
      }),
    )
    const moved = placed.filter(({ id, parent_id, path }) => {
      const place = this.places.get(id)
      return place?.parent_id !== parent_id || place.path !== path
    })
    for (const part of chunks(moved)) await writeParents(this.ctx.db, part)
  }

  private async storeLinks(sweep: boolean): Promise<void> {
    const { scraperId } = this.options
    const { references, links } = this
    if (!scraperId) return
    await references.load([
      ...links.flatMap(({ relationships }) => relationships.map(({ to }) => to)),
      ...this.relationships.flatMap(({ from, to }) => [from, to]),
    ])
    const edges: Edge[] = []
    const add = (from: string | undefined, to: string | undefined, relation: string) => {
      if (from && to) edges.push({ from, to, relation })
    }
    for (const { from, to, relation } of this.relationships) add(references.find(from), references.find(to), relation)
    for (const { id, relationships } of links) {
      for (const { to, relation, parent } of relationships) {
        const other = references.find(to)
        if (parent) add(other, id, relation)
        else add(id, other, relation)
      }
    }
    const selected = links.flatMap(({ id, selectors }) => selectors.map((one) => ({ id, ...one })))
    const found = await findSelected(
      this.ctx.db,
      selected.map(({ selector }) => selector),
      scraperId,
    )
    for (const [place, ids] of found) {
      const { id, relation, parent } = selected[place]!
      for (const other of ids) {
        if (parent) add(other, id, relation)
        else add(id, other, relation)
      }
    }
    await storeRelationships(this.ctx.db, scraperId, edges, { sweep })
    this.summary.relationships = edges.length
  }

  private async storeChanges(): Promise<void> {
    for (const part of chunks(this.changes)) {
      await this.references.load(part.map(({ value }) => value.item))
      const placed = part.map(({ value, rules }) => ({ value, rules, configId: this.references.find(value.item) }))
      const withRules = placed.filter(({ rules, configId }) => configId && (rules?.mapping || rules?.exclude))
      const configs = await configsOf(
        this.ctx.db,
        withRules.map(({ configId }) => configId!),
      )
      const authors = await authorsOf(
        this.ctx.db,
        part.map(({ value }) => value.createdBy),
      )
      const rows: Parameters<typeof storeChanges>[1][number][] = []
      for (const { value, rules, configId } of placed) {
        const type = configId
          ? (this.references.typeOf(configId) ?? '')
          : 'type' in value.item
            ? value.item.type
            : undefined
        if (!configId) {
          this.summary.leftOut(type, 'orphaned', value.changeType)
          continue
        }
        const subject = {
          type: type ?? '',
          config: () => configs.get(configId) ?? {},
          ignoreChanges: this.ignoring.get(configId) ?? [],
        }
        const change = await judgeChange(value, subject, rules)
        if (!change) {
          this.summary.leftOut(type, 'ignored', value.changeType)
          continue
        }
        const row = changeRow(configId, change, authors, this.now())
        // What was seen in this very scrape is there, whatever an older message says.
        if (change.action === 'delete' && !this.seen.has(configId))
          this.deletions.push({ item: { id: configId }, at: row.created_at, reason: 'FROM_ATTRIBUTE' })
        rows.push({ row, updateExisting: change.updateExisting ?? false })
        await this.breathe()
      }
      if (rows.length > 0) {
        const { stored } = await this.ctx.db.tx((sql) => storeChanges(sql, rows, this.windowMs))
        this.summary.changes += stored
      }
    }
    this.changes.length = 0
  }

  private async storeAnalyses(sweep: boolean): Promise<void> {
    await this.references.load(this.analyses.map(({ item }) => item))
    const findings = this.analyses.flatMap(({ item, ...rest }): Finding[] => {
      const configId = this.references.find(item)
      return configId ? [{ ...rest, configId }] : []
    })
    const { scraperId, startedAt } = this.options
    this.summary.findings = await storeAnalyses(this.ctx.db, scraperId, findings, { startedAt, at: this.now(), sweep })
  }

  private async storeDeletions(): Promise<void> {
    await this.references.load(this.deletions.map(({ item }) => item))
    const gone = this.deletions.flatMap(({ item, at, reason }) => {
      const id = this.references.find(item)
      return id ? [{ id, at: at ?? this.now(), reason: reason ?? 'FROM_ATTRIBUTE' }] : []
    })
    this.summary.deleted += await markDeleted(this.ctx.db, gone)
  }

  private async sweep(staleMs: number): Promise<void> {
    const { scraperId, startedAt } = this.options
    if (!scraperId) return
    const now = this.now()
    const age = Math.max(now.getTime() - startedAt.getTime(), staleMs)
    for (;;) {
      const gone = await sweepStale(this.ctx.db, scraperId, new Date(now.getTime() - age), now, 2000)
      this.summary.deleted += gone.length
      if (gone.length < 2000) return
    }
  }
}

const isEmpty = ({ config }: CatalogItem): boolean =>
  config === null || (typeof config === 'object' && Object.keys(config).length === 0)
