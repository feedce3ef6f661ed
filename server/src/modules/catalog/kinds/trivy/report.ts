import { record, records, word } from '../../../../platform/kubernetes/object.ts'
import type { ItemRef, ScrapedAnalysis, ScrapeResult } from '../kind.ts'
import { aliasOf, clusterAliasOf, clusterRef, typeOf } from '../kubernetes/names.ts'

type Raw = Record<string, unknown>

const severities: Record<string, string> = { CRITICAL: 'critical', HIGH: 'high', MEDIUM: 'medium', LOW: 'low' }
const severityOf = (value: unknown): string => severities[word(value).toUpperCase()] ?? 'info'

/** The report of a cluster: its objects, each with what was found in it. Older versions keep two lists of them. */
export function* findingsOf(report: unknown, clusterName: string | undefined): Iterable<ScrapeResult> {
  const { Resources, Findings, Vulnerabilities, Misconfigurations } = record(report)
  for (const resource of [Resources, Findings, Vulnerabilities, Misconfigurations].flatMap(records)) {
    const [kind, namespace, name] = [word(resource.Kind), word(resource.Namespace), word(resource.Name)]
    if (!kind || !name) continue
    const item: ItemRef = {
      externalId: clusterName ? clusterAliasOf(clusterName, kind, namespace, name) : aliasOf(kind, namespace, name),
      type: typeOf('', kind),
    }
    if (word(resource.Error))
      yield { error: { message: word(resource.Error), item: [kind, namespace, name].filter(Boolean).join('/') } }
    for (const result of records(resource.Results))
      for (const finding of analysesOf(result)) yield { analysis: { item, ...finding } }
  }
}

type Finding = Omit<ScrapedAnalysis, 'item'>

function* analysesOf(result: Raw): Iterable<Finding> {
  const target = word(result.Target)
  for (const each of records(result.Vulnerabilities)) yield vulnerability(each, target)
  for (const each of records(result.Misconfigurations))
    if (word(each.Status) !== 'PASS' && word(each.Status) !== 'EXCEPTION') yield misconfiguration(each)
  for (const each of records(result.Secrets)) yield exposedSecret(each, target)
  for (const each of records(result.Licenses)) yield license(each)
}

const base = { analysisType: 'security', source: 'trivy', status: 'open' as const }

function vulnerability(each: Raw, target: string): Finding {
  const fixed = word(each.FixedVersion)
  const where = `${word(each.PkgName)} ${word(each.InstalledVersion)}`
  return {
    ...base,
    analyzer: word(each.VulnerabilityID),
    severity: severityOf(each.Severity),
    summary: word(each.Title) || word(each.VulnerabilityID),
    message: text(
      `${where} in ${target}${fixed ? `, fixed in ${fixed}` : ', not fixed yet'}`,
      word(each.Description),
      word(each.PrimaryURL),
    ),
    analysis: each,
  }
}

function misconfiguration(each: Raw): Finding {
  return {
    ...base,
    analyzer: word(each.AVDID) || word(each.ID),
    severity: severityOf(each.Severity),
    summary: word(each.Title),
    message: text(word(each.Message) || word(each.Description), word(each.Resolution), word(each.PrimaryURL)),
    analysis: each,
  }
}

/** Trivy stars the secret itself; the lines around it are left out all the same. */
function exposedSecret({ Match: _, Code: __, ...each }: Raw, target: string): Finding {
  const lines = `${String(each.StartLine as number)}–${String(each.EndLine as number)}`
  return {
    ...base,
    analyzer: `secret ${word(each.RuleID)} ${target}`.slice(0, 200),
    severity: severityOf(each.Severity),
    summary: word(each.Title),
    message: text(`${word(each.Title)} in ${target}, lines ${lines}`),
    analysis: each,
  }
}

function license(each: Raw): Finding {
  return {
    ...base,
    analyzer: `license ${word(each.Name)} ${word(each.PkgName)}`.trim(),
    severity: severityOf(each.Severity),
    summary: `${word(each.Name)} (${word(each.Category)})`,
    message: text(`${word(each.PkgName) || word(each.FilePath)} is under ${word(each.Name)}`, word(each.Link)),
    analysis: each,
  }
}

/** Insights are shown as HTML; what a package says about itself is text. */
const text = (...parts: string[]): string =>
  parts
    .filter((part) => part !== '')
    .map((part) => part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
    .join('<br>')

/** The summary of a compliance report: each control that failed is an insight of the cluster. */
export function* complianceOf(report: unknown, name: string, clusterName: string | undefined): Iterable<ScrapeResult> {
  if (!clusterName) {
    const message = 'a compliance report is about the cluster: set kubernetes.clusterName'
    yield { error: { message, item: name, partial: false } }
    return
  }
  const { ID, Title, SummaryControls } = record(report)
  for (const control of records(SummaryControls)) {
    const failed = Number(control.TotalFail ?? 0)
    if (!(failed > 0)) continue
    yield {
      analysis: {
        item: clusterRef(clusterName),
        analyzer: `${word(ID) || name} ${word(control.ID)}`,
        analysisType: 'compliance',
        severity: severityOf(control.Severity),
        summary: word(control.Name),
        message: text(`${word(Title)}: ${word(control.Name)}`, `${failed} objects do not comply`),
        source: 'trivy',
        status: 'open',
        analysis: control,
      },
    }
  }
}
