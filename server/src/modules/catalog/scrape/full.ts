import { isUuid } from '../../../platform/ids.ts'
import type { ItemCosts, ItemRef, OwnChange, ScrapedAnalysis } from '../kinds/kind.ts'
import { asText, timeOf } from './paths.ts'

export interface FullBody {
  config: unknown
  changes?: OwnChange[]
  analyses?: Omit<ScrapedAnalysis, 'item'>[]
  costs?: ItemCosts
}

type Raw = Record<string, unknown>
const recordOf = (value: unknown): Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Raw) : {}
const listOf = (value: unknown): Raw[] => (Array.isArray(value) ? value.map(recordOf) : [])

/** `{config, changes[], analysis[], cost_…}`: an item together with what happened to it and what was found out about it. */
export function unwrapFull(body: unknown): FullBody {
  const raw = recordOf(body)
  if (!('config' in raw)) throw new Error('in full mode every item is an object with config and changes')
  const costs = costsOf(raw)
  return {
    config: raw.config,
    changes: listOf(raw.changes).map(changeOf),
    analyses: listOf(raw.analysis ?? raw.analyses).flatMap(analysisOf),
    ...(costs && { costs }),
  }
}

/** Which item a change is about when it is not the one it was told with. */
function subjectOf(raw: Raw): ItemRef | undefined {
  const id = asText(raw.configID ?? raw.config_id)
  if (id && isUuid(id)) return { id: id.toLowerCase() }
  const externalId = asText(raw.external_id)
  return externalId ? { externalId, type: asText(raw.config_type) || undefined } : undefined
}

/** A change by its stored names. */
export function changeOf(raw: Raw): OwnChange {
  const action = asText(raw.action)?.toLowerCase()
  const item = subjectOf(raw)
  return {
    ...(item && { item }),
    changeType: asText(raw.change_type) || 'unknown',
    externalChangeId: asText(raw.external_change_id) || undefined,
    updateExisting: raw.update_existing === true,
    action: action === 'delete' || action === 'ignore' ? action : undefined,
    severity: asText(raw.severity) || undefined,
    summary: asText(raw.summary),
    source: asText(raw.source),
    createdBy: asText(raw.created_by) || undefined,
    createdAt: timeOf(raw.created_at, undefined),
    details: raw.details ?? undefined,
    patches: typeof raw.patches === 'string' ? jsonOr(raw.patches) : (raw.patches ?? undefined),
    diff: asText(raw.diff),
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function analysisOf(raw: Raw): Omit<ScrapedAnalysis, 'item'>[] {
  const analyzer = asText(raw.analyzer)
  if (!analyzer) return []
  const status = asText(raw.status)
  const message = Array.isArray(raw.messages)
    ? raw.messages.map((one) => asText(one) ?? '').join('<br><br>')
    : undefined
  return [
    {
      analyzer,
      analysisType: asText(raw.analysis_type) || 'other',
      severity: asText(raw.severity) || 'info',
      summary: asText(raw.summary),
      message: message ?? asText(raw.message) ?? '',
      source: asText(raw.source),
      status: status === 'resolved' || status === 'silenced' ? status : 'open',
      analysis: raw.analysis ?? undefined,
    },
  ]
}

function costsOf(raw: Raw): ItemCosts | undefined {
  const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
  const costs = {
    perMinute: number(raw.cost_per_minute),
    total1d: number(raw.cost_total_1d),
    total7d: number(raw.cost_total_7d),
    total30d: number(raw.cost_total_30d),
  }
  return Object.values(costs).some((value) => value !== undefined) ? costs : undefined
}
