import { ScraperSpec } from '@quarterdeck/contract/scrapers/scraper-spec'
import type { DataApi } from '../../data-api/data-api.ts'
import type { BeforeWrite, Row } from '../../data-api/hooks.ts'
import { badRequest } from '../../platform/errors.ts'
import { planScraper } from './scrape/plan.ts'

const mostProblems = 20

/** What a scraper saved through the data API must look like, its expressions and paths included. */
export function registerScraperRules(api: Pick<DataApi, 'beforeWrite'>): void {
  api.beforeWrite('config_scrapers', checkScrapers)
}

const checkScrapers: BeforeWrite = ({ kind, rows }) => {
  if (kind === 'delete') return
  for (const row of rows) checkRow(row, kind === 'insert')
}

function checkRow(row: Row, isNew: boolean): void {
  if (isNew || row.name !== undefined) {
    if (typeof row.name !== 'string' || row.name.trim() === '') throw badRequest('name cannot be empty')
    if (row.name.length > 508) throw badRequest('name has at most 508 characters')
  }
  if (!isNew && row.spec === undefined) return
  const { spec } = row
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) throw badRequest('spec must be an object')
  const problems = problemsOf(spec as Record<string, unknown>)
  if (problems.length > 0) throw badRequest(problems[0]!, problems.length > 1 ? problems.join('\n') : null)
}

function problemsOf(spec: Record<string, unknown>): string[] {
  const parsed = ScraperSpec.safeParse(spec)
  if (!parsed.success) {
    return parsed.error.issues.slice(0, mostProblems).map((issue) => {
      const path = issue.path.reduce<string>(
        (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
        'spec',
      )
      return `${path}: ${issue.message}`
    })
  }
  // A spec that names nothing yet, or something that only other servers run, may be saved.
  return planScraper(spec)
    .problems.filter((problem) => /^\w+\[\d+\]/.test(problem))
    .slice(0, mostProblems)
}
