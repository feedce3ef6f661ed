import { type ScraperKind, startWith } from './kind.ts'

/** The product itself: what it runs on. */
export const thisServer: ScraperKind = {
  key: 'quarterdeck',
  label: 'This server',
  icon: 'server',
  about: 'The host and the database that Quarterdeck runs on',
  start: startWith('quarterdeck', { tables: true }),
}
