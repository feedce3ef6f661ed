import type { Sql } from '../../../platform/db/db.ts'
import { newId } from '../../../platform/ids.ts'
import type { ScrapedAnalysis } from '../kinds/kind.ts'
import { canonical } from './canonical.ts'
import { chunks } from './references.ts'

export interface Finding extends Omit<ScrapedAnalysis, 'item'> {
  configId: string
}

const types = [
  'availability',
  'compliance',
  'cost',
  'integration',
  'other',
  'performance',
  'recommendation',
  'reliability',
  'security',
  'technical_debt',
]
const severities = ['critical', 'high', 'medium', 'low', 'info']
const maxMessage = 100_000

const columns = `id uuid, config_id uuid, source text, analyzer text, analysis_type text, severity text, summary text,
  status text, message text, analysis jsonb`

/** Findings by item and analyzer; several messages of one become paragraphs. */
function rowsOf(findings: readonly Finding[]) {
  const rows = new Map<string, ReturnType<typeof rowOf>>()
  for (const finding of findings) {
    const key = `${finding.configId}\0${finding.analyzer}`
    const row = rows.get(key)
    if (!row) rows.set(key, rowOf(finding))
    else if (!row.message.split('<br><br>').includes(clean(finding.message)))
      row.message = `${row.message}<br><br>${clean(finding.message)}`.slice(0, maxMessage)
  }
  return [...rows.values()]
}

const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed().slice(0, maxMessage)

const rowOf = (finding: Finding) => ({
  id: newId(),
  config_id: finding.configId,
  source: finding.source ? clean(finding.source).slice(0, 500) : null,
  analyzer: clean(finding.analyzer).slice(0, 500),
  analysis_type: types.includes(finding.analysisType) ? finding.analysisType : 'other',
  severity: severities.includes(finding.severity) ? finding.severity : 'info',
  summary: finding.summary ? clean(finding.summary).slice(0, 4000) : null,
  status: finding.status ?? 'open',
  message: clean(finding.message),
  analysis: canonical(finding.analysis ?? null),
})

/** Stores findings. One that a person silenced stays silenced; what is not found again is resolved after a complete scrape. */
export async function storeAnalyses(
  sql: Sql,
  scraperId: string | null,
  findings: readonly Finding[],
  { startedAt, at, sweep }: { startedAt: Date; at: Date; sweep: boolean },
): Promise<number> {
  const rows = rowsOf(findings)
  for (const part of chunks(rows)) {
    const json = JSON.stringify(part)
    await sql.run(
      `update config_analysis a set last_observed = $2, message = found.message, analysis = found.analysis,
         severity = found.severity, summary = found.summary, analysis_type = found.analysis_type,
         status = case when a.status = 'silenced' and found.status = 'open' then a.status else found.status end
       from json_to_recordset($1) as found (${columns})
       where a.config_id = found.config_id and a.analyzer = found.analyzer`,
      [json, at],
    )
    await sql.run(
      `insert into config_analysis (id, config_id, scraper_id, source, analyzer, analysis_type, severity, summary, status,
         message, analysis, first_observed, last_observed)
       select id, config_id, $3, source, analyzer, analysis_type, severity, summary, status, message, analysis, $2, $2
         from json_to_recordset($1) as found (${columns})
        where not exists (select from config_analysis a where a.config_id = found.config_id and a.analyzer = found.analyzer)`,
      [json, at, scraperId],
    )
  }
  if (sweep && scraperId)
    await sql.run(
      `update config_analysis set status = 'resolved'
        where scraper_id = $1 and status = 'open' and last_observed < $2 and first_observed < $2`,
      [scraperId, startedAt],
    )
  return rows.length
}
