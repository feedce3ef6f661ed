import { record, word } from '../../../../platform/kubernetes/object.ts'
import type { ScrapedAnalysis } from '../kind.ts'
import { resourceOf } from './resources.ts'

const types: Record<string, string> = {
  Cost: 'cost',
  HighAvailability: 'availability',
  OperationalExcellence: 'recommendation',
  Performance: 'performance',
  Security: 'security',
}
const severities: Record<string, string> = { High: 'high', Medium: 'medium' }

/** A recommendation of Azure Advisor. */
export function recommendationOf(raw: Record<string, unknown>): ScrapedAnalysis | undefined {
  const properties = record(raw.properties)
  const metadata = record(properties.resourceMetadata)
  // The id of a recommendation begins with that of its resource.
  const about = resourceOf(
    word(metadata.resourceId) || word(raw.id).replace(/\/providers\/Microsoft\.Advisor\/.*$/i, ''),
  )
  const { problem, solution } = record(properties.shortDescription)
  if (!about || !word(problem)) return undefined
  return {
    item: { externalId: about.id, type: about.type },
    analyzer: word(properties.recommendationTypeId) || word(raw.name),
    analysisType: types[word(properties.category)] ?? 'other',
    severity: severities[word(properties.impact)] ?? 'low',
    summary: word(problem),
    message: word(solution) || word(problem),
    source: 'Azure Advisor',
    status: 'open',
    analysis: properties,
  }
}
