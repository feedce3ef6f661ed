import type { TryScraper, TryScraperResult } from '@quarterdeck/contract/catalog'
import { pino } from 'pino'
import type { Context } from '../../../context.ts'
import { badRequest, notFound } from '../../../platform/errors.ts'
import { readProperties } from '../../../platform/properties.ts'
import { canonical, type Json } from '../ingest/canonical.ts'
import type { CatalogItem } from '../ingest/catalog-item.ts'
import { diffDocuments } from '../ingest/diff.ts'
import { type Known, localAgent } from '../ingest/items.sql.ts'
import { type ChangeDraft, type ChangeRules, judgeChange } from '../ingest/judge-change.ts'
import { isUnchanged, matchItems } from '../ingest/match.ts'
import { chunks, References } from '../ingest/references.ts'
import type { ItemRef, ScrapedAnalysis, ScrapedChange, ScrapedDeletion } from '../kinds/kind.ts'
import { collect, newScrubber, type ScrapeSink } from './collect.ts'
import type { Problem } from './extract.ts'
import { planScraper } from './plan.ts'
import { runOf, staleMsOf } from './scrape.ts'
import { scraperById } from './scrapers.sql.ts'

const mostItems = 20_000
const shown = { items: 100, deleted: 200, changes: 200, insights: 100, errors: 100, logs: 200 }
const configBytes = 1024 * 1024
const diffBytes = 512 * 1024
const patienceMs = 60_000

/** Scrapes a spec once without saving anything, and says what a scrape would do. */
export async function tryScraper(ctx: Context, input: TryScraper): Promise<TryScraperResult> {
  const started = performance.now()
  const stored = input.id ? await scraperById(ctx.db, input.id) : undefined
  if (input.id && !stored) throw notFound(`scraper (${input.id})`)
  const plan = planScraper(input.spec)
  if (plan.sources.length === 0) throw badRequest(`The spec cannot be run: ${plan.problems.join('; ')}`)
  const signal = AbortSignal.timeout(patienceMs)
  const trial = new Trial()
  for (const message of plan.problems) trial.problem({ message })
  const name = stored?.name ?? [input.namespace, input.name ?? 'unsaved'].filter(Boolean).join('/')
  const logs: string[] = []
  const log = pino(
    { level: 'debug', base: null, timestamp: false },
    { write: (line: string) => void logs.push(line.trim()) },
  )
  const scrubber = newScrubber()
  for (const source of plan.sources) {
    const state = { get: async () => undefined, set: () => undefined }
    const parts = {
      signal,
      log,
      startedAt: ctx.clock.now(),
      full: plan.full,
      state,
      secret: (text: string) => scrubber.add(text),
    }
    try {
      await collect(source, runOf(ctx, { name }, parts), scrubber, trial)
    } catch (error) {
      if (!(error instanceof Enough) && !signal.aborted) throw error
      const why = error instanceof Enough ? error.message : `it took longer than ${patienceMs / 1000} s`
      trial.problem({ message: `stopped early: ${why}`, item: source.place })
      break
    }
  }
  const compared = await trial.compare(ctx)
  const staleMs = staleMsOf(input.spec, await readProperties(ctx))
  const sweeps = stored && !trial.isPartial && staleMs !== undefined && compared.seen.size > 0
  const missing = sweeps ? await unseen(ctx, stored.id, compared.seen) : []
  const told = new Set(compared.gone.map(({ id }) => id))
  const deleted = [...compared.gone, ...missing.filter(({ id }) => !told.has(id))]
  return {
    ...compared.answer,
    deleted: deleted.slice(0, shown.deleted),
    ...(missing.length > 0 && { stale_after_ms: staleMs }),
    errors: trial.problems.slice(0, shown.errors).map(({ item, message }) => ({ ...(item && { item }), message })),
    totals: { ...compared.totals, deleted: deleted.length, errors: trial.problems.length },
    ...(logs.length > 0 && { logs: logs.slice(0, shown.logs).map((line) => scrubber.text(line).slice(0, 2000)) }),
    duration_ms: Math.round(performance.now() - started),
  }
}

class Enough extends Error {}

/** Keeps what a scrape finds instead of storing it. */
class Trial implements ScrapeSink {
  readonly items: { item: CatalogItem; rules: ChangeRules | undefined }[] = []
  private readonly byId = new Map<string, CatalogItem>()
  readonly problems: Problem[] = []
  private readonly changes: { change: ScrapedChange; rules: ChangeRules | undefined }[] = []
  private readonly analyses: ScrapedAnalysis[] = []
  private readonly gone: ItemRef[] = []
  private edges = 0

  get isPartial(): boolean {
    return this.problems.some(({ partial }) => partial !== false)
  }

  async add(item: CatalogItem, rules?: ChangeRules): Promise<void> {
    if (this.items.length >= mostItems) throw new Enough(`only ${mostItems} items are tried`)
    this.items.push({ item, rules })
    this.edges += item.relationships.length + item.selectors.length
  }
  change(change: ScrapedChange, rules?: ChangeRules): void {
    this.changes.push({ change, rules })
  }
  analysis(analysis: ScrapedAnalysis): void {
    this.analyses.push(analysis)
  }
  relationship(): void {
    this.edges += 1
  }
  deletion({ item }: ScrapedDeletion): void {
    this.gone.push(item)
  }
  problem(problem: Problem): void {
    this.problems.push(problem)
  }

  async compare(ctx: Context) {
    const created: TryScraperResult['created'] = []
    const changed: TryScraperResult['changed'] = []
    const seen = new Set<string>()
    const totals = { created: 0, changed: 0, changes: 0, insights: 0 }
    let unchanged = 0
    let bytes = 0
    for (const part of chunks(this.items)) {
      const known = await matchItems(
        ctx.db,
        part.map(({ item }) => item),
      )
      for (const { item, rules } of part) {
        if (seen.has(item.id)) {
          const name = item.externalIds[0]!
          this.problem({
            message: `two items have the id ${name}; the first would be stored`,
            item: name,
            partial: false,
          })
          continue
        }
        seen.add(item.id)
        this.byId.set(item.id, item)
        const row = known.get(item.id)
        if (row && !row.deleted_at && item.deletedAt) {
          seen.delete(item.id)
          this.gone.push({ id: item.id })
        } else if (!row) {
          totals.created += 1
          bytes += item.size
          if (created.length < shown.items)
            created.push({ ...shownItem(item), config: bytes <= configBytes ? item.config : null })
        } else if (isUnchanged(item, row)) unchanged += 1
        else {
          totals.changed += 1
          if (changed.length < shown.items)
            changed.push({ ...shownItem(item), ...(await this.differences(ctx, item, row)) })
        }
        for (const change of item.changes) this.change({ ...change, item: change.item ?? { id: item.id } }, rules)
        for (const analysis of item.analyses) this.analysis({ ...analysis, item: { id: item.id } })
      }
    }
    const changes = await this.judged(seen)
    const insights = this.analyses.map(({ item, ...found }) => ({ ...this.shownRef(item), ...shownInsight(found) }))
    Object.assign(totals, { changes: changes.length, insights: insights.length })
    return {
      seen,
      totals,
      gone: await this.goneItems(ctx, seen),
      answer: {
        created,
        changed,
        unchanged,
        changes: changes.slice(0, shown.changes),
        insights: insights.slice(0, shown.insights),
        relationships: this.edges,
      },
    }
  }

  private async differences(ctx: Context, item: CatalogItem, row: Known): Promise<{ summary: string; diff: string }> {
    if (row.deleted_at && !item.deletedAt) return { summary: 'comes back', diff: '' }
    if (row.config_hash?.equals(item.configHash)) return { summary: 'only fields beside the document', diff: '' }
    const { config } = await ctx.db.one<{ config: Json }>('select config from config_items where id = $1', [row.id])
    const found = diffDocuments(canonical(config), item.config)
    return {
      summary: found?.summary ?? 'only fields beside the document',
      diff: (found?.diff ?? '').slice(0, diffBytes),
    }
  }

  /** Live items that their source says are gone. */
  private async goneItems(ctx: Context, seen: ReadonlySet<string>): Promise<TryScraperResult['deleted']> {
    const references = new References(ctx.db)
    await references.load(this.gone)
    const ids = this.gone.map((ref) => references.find(ref)).filter((id) => id !== undefined && !seen.has(id))
    return ids.length === 0 ? [] : liveItems(ctx, 'id = any($1::uuid[])', [[...new Set(ids)]])
  }

  private shownRef(ref: ItemRef) {
    const own = 'id' in ref ? this.byId.get(ref.id) : undefined
    return {
      config_id: 'id' in ref ? ref.id : null,
      external_id: 'externalId' in ref ? ref.externalId : (own?.externalIds[0] ?? null),
      config_type: 'externalId' in ref ? (ref.type ?? null) : (own?.type ?? null),
    }
  }

  private async judged(seen: ReadonlySet<string>): Promise<TryScraperResult['changes']> {
    const shownChanges: TryScraperResult['changes'] = []
    for (const { change, rules } of this.changes.slice(0, 5000)) {
      const { item, ...draft } = change
      const type = 'type' in item ? (item.type ?? '') : ''
      const judged = await judgeChange(draft, { type, config: () => ({}), ignoreChanges: [] }, rules)
      if (judged) shownChanges.push({ ...this.shownRef(item), ...shownChange(judged) })
      if (judged?.action === 'delete' && !('id' in item && seen.has(item.id))) this.gone.push(item)
    }
    return shownChanges
  }
}

const shownItem = (item: CatalogItem) => ({
  id: item.id,
  external_id: item.externalIds[0]!,
  type: item.type,
  config_class: item.configClass,
  name: item.name,
  status: item.status,
  health: item.health,
  description: item.description,
  labels: Object.fromEntries(Object.entries(item.labels).slice(0, 100)),
  tags: item.tags,
})

const shownChange = (change: ChangeDraft) => ({
  change_type: change.changeType,
  severity: change.severity ?? null,
  summary: change.summary?.slice(0, 1000) ?? null,
  source: change.source ?? null,
  created_at: change.createdAt?.toISOString() ?? null,
})

const shownInsight = (found: Omit<ScrapedAnalysis, 'item'>) => ({
  analyzer: found.analyzer,
  analysis_type: found.analysisType,
  severity: found.severity,
  summary: found.summary ?? null,
  message: found.message.slice(0, 5000),
})

/** Live items of the stored scraper that the trial did not find. */
const unseen = (ctx: Context, scraperId: string, seen: ReadonlySet<string>): Promise<TryScraperResult['deleted']> =>
  liveItems(ctx, 'scraper_id = $1 and id <> all($2::uuid[])', [scraperId, [...seen]])

async function liveItems(ctx: Context, where: string, values: unknown[]): Promise<TryScraperResult['deleted']> {
  const rows = await ctx.db.query<{ id: string; external_id: string | null; type: string; name: string }>(
    `select id, external_id[1] as external_id, type, coalesce(name, '') as name from config_items
      where deleted_at is null and agent_id = '${localAgent}' and ${where} order by type, name limit 10000`,
    values,
  )
  return rows.map((row) => ({ ...row, external_id: row.external_id ?? '' }))
}
