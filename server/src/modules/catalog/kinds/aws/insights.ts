import { record, records, word } from '../../../../platform/kubernetes/object.ts'
import type { ItemRef, ScrapeResult } from '../kind.ts'
import { classify } from './config-rules.ts'
import { accountType, pagesOf, refOf, type Scan } from './scan.ts'

/** Resources that break a rule of AWS Config. */
export async function* compliance(scan: Scan): AsyncGenerator<ScrapeResult> {
  const call = (action: string, input: object) => scan.json('config', `StarlingDoveService.${action}`, input)
  const broken = { ComplianceTypes: ['NON_COMPLIANT'] }
  for await (const page of pagesOf((token) => call('DescribeComplianceByConfigRule', { ...broken, ...token }))) {
    for (const { ConfigRuleName } of records(page.ComplianceByConfigRules)) {
      const rule = word(ConfigRuleName)
      const details = { ConfigRuleName: rule, ...broken, Limit: 100 }
      for await (const found of pagesOf((token) =>
        call('GetComplianceDetailsByConfigRule', { ...details, ...token }),
      )) {
        for (const result of records(found.EvaluationResults)) {
          const { ResourceId, ResourceType } = record(
            record(result.EvaluationResultIdentifier).EvaluationResultQualifier,
          )
          const item = scan.known.find(word(ResourceId), word(ResourceType), scan.region)
          if (!item) continue
          yield {
            analysis: {
              item,
              analyzer: rule,
              ...classify(rule),
              summary: rule.replaceAll('-', ' '),
              message: word(result.Annotation) || `does not comply with ${rule}`,
              source: 'AWS Config',
              status: 'open',
              analysis: result,
            },
          }
        }
      }
    }
  }
}

const advisorTypes: Record<string, string> = {
  cost_optimizing: 'cost',
  security: 'security',
  fault_tolerance: 'reliability',
  performance: 'performance',
  service_limits: 'other',
  operational_excellence: 'recommendation',
}

/** What Trusted Advisor flags. It is asked in one place, and says of which region each resource is. */
export async function* trustedAdvisor(scan: Scan): AsyncGenerator<ScrapeResult> {
  const call = (action: string, input: object) => scan.json('support', `AWSSupport_20130415.${action}`, input)
  for (const check of records((await call('DescribeTrustedAdvisorChecks', { language: 'en' })).checks)) {
    const { result } = await call('DescribeTrustedAdvisorCheckResult', { checkId: check.id, language: 'en' })
    const names = Array.isArray(check.metadata) ? check.metadata.map(word) : []
    for (const flagged of records(record(result).flaggedResources)) {
      if (flagged.isSuppressed === true || flagged.status === 'ok') continue
      const values = Array.isArray(flagged.metadata) ? flagged.metadata.map(word) : []
      const pairs = values
        .map((value, at) => [names[at] ?? `value ${at + 1}`, value] as const)
        .filter(([, value]) => value !== '')
      yield {
        analysis: {
          item: whichOf(scan, values, word(flagged.region)),
          analyzer: word(check.name),
          analysisType: advisorTypes[word(check.category)] ?? 'other',
          severity: flagged.status === 'error' ? 'high' : 'medium',
          summary: word(check.name),
          message: pairs.map(([name, value]) => `${name}: ${value}`).join('<br>') || word(check.description),
          source: 'AWS Trusted Advisor',
          status: 'open',
          analysis: { ...Object.fromEntries(pairs), region: word(flagged.region), status: flagged.status },
        },
      }
    }
  }
}

/** The resource is named somewhere among the values; what names none is about the account. */
function whichOf(scan: Scan, values: readonly string[], region: string): ItemRef {
  for (const value of values) {
    const found = value ? scan.known.find(value, '', region) : undefined
    if (found) return found
  }
  return refOf(accountType, scan.account)
}

const inspectorSeverity: Record<string, string> = { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low' }

/** Active findings of Inspector. */
export async function* inspector(scan: Scan): AsyncGenerator<ScrapeResult> {
  const filterCriteria = { findingStatus: [{ comparison: 'EQUALS', value: 'ACTIVE' }] }
  const ask = (token: object) =>
    scan.rest({
      service: 'inspector2',
      path: '/findings/list',
      method: 'POST',
      json: { filterCriteria, maxResults: 100, ...token },
    })
  for await (const page of pagesOf(ask, 'nextToken')) {
    for (const finding of records(page.findings)) {
      for (const resource of records(finding.resources)) {
        const item = scan.known.find(word(resource.id), '', word(resource.region) || scan.region)
        if (!item) continue
        const { vulnerabilityId } = record(finding.packageVulnerabilityDetails)
        yield {
          analysis: {
            item,
            analyzer: word(vulnerabilityId) || word(finding.title),
            analysisType: 'security',
            severity: inspectorSeverity[word(finding.severity)] ?? 'info',
            summary: word(finding.title),
            message: word(finding.description),
            source: 'AWS Inspector',
            status: 'open',
            analysis: finding,
          },
        }
      }
    }
  }
}
