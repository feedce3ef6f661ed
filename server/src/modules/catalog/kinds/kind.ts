import type { Extraction } from '@quarterdeck/contract/scrapers/common'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { ClientRun } from '../../../platform/clients/run.ts'

/** Names another item: by its row id, or by its id (or an alias) in the source. */
export type ItemRef = { id: string } | { externalId: string; type?: string }

export interface ItemProperty {
  name: string
  text?: string
  value?: number
  [field: string]: unknown
}

export interface ItemCosts {
  perMinute?: number
  total1d?: number
  total7d?: number
  total30d?: number
}

/**
 * One thing found. Kinds that know what they found (a pod, a virtual machine) fill in id, type and the rest; kinds that
 * only bring documents give `config` and leave the rest to the rules of the spec. What the spec says wins.
 */
export interface ScrapedItem {
  /** The document: text is parsed in the spec's format, anything else is taken as it is. */
  config: unknown
  /** Format of a text, when it is not the spec's. */
  format?: string
  /** Id in the source, and further ids it is known by; others refer to it by any of them. */
  id?: string
  aliases?: string[]
  /** `Provider::Kind`. */
  type?: string
  configClass?: string
  name?: string
  description?: string
  status?: string
  health?: string
  ready?: boolean
  icon?: string
  /** Where it was read, for people. */
  source?: string
  labels?: Record<string, string>
  tags?: Record<string, string>
  properties?: ItemProperty[]
  createdAt?: Date
  deletedAt?: Date
  deleteReason?: string
  /** Candidates, most precise first; the first that exists and makes no loop becomes the parent. */
  parents?: ItemRef[]
  /** Items whose parent this one is, whatever they say themselves. */
  children?: ItemRef[]
  costs?: ItemCosts
  /** Of this item unless they name another. */
  changes?: OwnChange[]
  analyses?: Omit<ScrapedAnalysis, 'item'>[]
  /** `from` is this item unless given. */
  relationships?: { to: ItemRef; relation?: string; parent?: boolean }[]
  /** Change types that are not recorded for this item; `*` is all. */
  ignoreChanges?: string[]
  /** Lies outside of any one scraper (a region, a zone): belongs to none and is never swept. */
  shared?: boolean
}

/** Something that happened to an item. */
export interface ScrapedChange {
  item: ItemRef
  changeType: string
  /** Unique per item: seen again it is the same change, and is left alone unless `updateExisting`. */
  externalChangeId?: string
  updateExisting?: boolean
  /** The built-in rules and the spec's mapping may set these too; `keep`: the item stays, whatever the type sounds like. */
  action?: 'delete' | 'ignore' | 'keep'
  severity?: string
  summary?: string
  source?: string
  /** E-mail address of a person, or any name. */
  createdBy?: string
  createdAt?: Date
  details?: unknown
  patches?: unknown
  diff?: string
}

/** A change told together with an item, of which it is unless it names another. */
export type OwnChange = Omit<ScrapedChange, 'item'> & { item?: ItemRef }

/** A finding about an item; (item, analyzer) identifies it. Several messages of one analyzer are joined. */
export interface ScrapedAnalysis {
  item: ItemRef
  analyzer: string
  analysisType: string
  severity: string
  summary?: string
  message: string
  source?: string
  status?: 'open' | 'resolved' | 'silenced'
  analysis?: unknown
}

/** `from` is the upper end: a node, its pod. */
export interface ScrapedRelationship {
  from: ItemRef
  to: ItemRef
  relation: string
}

export interface ScrapedDeletion {
  item: ItemRef
  at?: Date
  reason?: string
}

export interface ScrapeProblem {
  message: string
  /** Which item, file or part it is about, in words. */
  item?: string
  /**
   * Whether something may be missing from this scrape; then nothing is deleted for not having been seen. True unless
   * said otherwise.
   */
  partial?: boolean
}

/** What a kind yields, in any order. */
export type ScrapeResult =
  | { item: ScrapedItem }
  | { change: ScrapedChange }
  | { analysis: ScrapedAnalysis }
  | { relationship: ScrapedRelationship }
  | { deletion: ScrapedDeletion }
  | { error: ScrapeProblem }

/** What a kind may remember between runs, such as a position in a log of events. */
export interface ScrapeState {
  get<T>(): Promise<T | undefined>
  /** Stored when the scrape has been stored. */
  set(value: unknown): void
}

/** Everything a kind may use while it runs; the clients of platform/clients take it as it is. */
export interface ScrapeRun extends ClientRun {
  /** Undefined while a spec is only tried. */
  scraperId: string | undefined
  /** `namespace/name`, or the name of a row made in the console. */
  name: string
  /** In which references to secrets are looked up. */
  namespace: string
  log: Logger
  /** When this scrape began. */
  startedAt: Date
  state: ScrapeState
  /** The document's `full` flag. */
  full: boolean
}

/** Spec fields every kind has; see the contract's scrapers/common.ts. */
export type KindSpec = Extraction

/** One kind of scraper: a file of its own here, its schema in the contract's scrapers/, a line in both indexes. */
export interface ScraperKind<Spec extends KindSpec = KindSpec> {
  /** Key in the scraper spec, for example `kubernetesFile`. */
  key: string
  schema: z.ZodType<Spec>
  /** Scrapes of the kind at once in one process. */
  concurrency: number
  /**
   * Yields everything there is. Throwing means that the rest is missing: what was yielded is stored, nothing is swept.
   * A part that fails while others go on is yielded as an `error`.
   */
  scrape(run: ScrapeRun, spec: Spec): AsyncIterable<ScrapeResult>
  /**
   * Yields what happens from now on until the signal is set; stored every few seconds beside the full scrapes. The
   * engine starts it anew after a pause when it ends or throws. Absent, or undefined for a spec: full scrapes only.
   */
  watch?(run: ScrapeRun, spec: Spec): AsyncIterable<ScrapeResult> | undefined
}

/** Thrown by a kind when its spec cannot be run: a missing program, an unresolved secret, a path that is refused. */
export class InvalidScraper extends Error {
  override name = 'InvalidScraper'
}
