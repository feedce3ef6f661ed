import { availableParallelism } from 'node:os'

/** What one request may ask for. Beyond these it is refused, never cut short in silence (but for the row cap). */
export interface Limits {
  /** Rows per answer and per embedded list. */
  maxRows: number
  /** Bytes of a body. */
  bodyBytes: number
  /** Characters of a query string: a list of 100,000 ids still fits. */
  queryLength: number
  /** Levels of embedding below the root. */
  embedDepth: number
  /** Levels of and(), or() and not. */
  logicDepth: number
  /** Embedded resources in one request. */
  embeds: number
  /** Columns named in one select, order or columns. */
  terms: number
  /** Conditions in one request. */
  conditions: number
  /** Milliseconds a statement may run. */
  statementTimeout: number
  /** Statements of reads that run at once; the others wait their turn. */
  readsAtOnce: number
  /** Compiled requests kept, by shape. */
  cachedPlans: number
  /** Prepared statements a connection may hold before it is replaced by a fresh one. */
  preparedPerConnection: number
}

export const defaultLimits: Limits = {
  maxRows: 2000,
  bodyBytes: 4 * 1024 * 1024,
  queryLength: 5_000_000,
  embedDepth: 10,
  logicDepth: 20,
  embeds: 50,
  terms: 1000,
  conditions: 500,
  statementTimeout: 30_000,
  readsAtOnce: 10,
  cachedPlans: 1000,
  preparedPerConnection: 400,
}

const isHere = (url: string): boolean =>
  URL.canParse(url) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)

/** The limits for a database: on one machine with us, more statements than cores only slow each other down. */
export const limitsFor = (url: string): Limits => ({
  ...defaultLimits,
  ...(isHere(url) && { readsAtOnce: Math.max(2, availableParallelism()) }),
})
