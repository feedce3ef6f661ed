import { AlertmanagerCheck } from '@quarterdeck/contract/checks/alertmanager'
import { record, records, word } from '../../../platform/kubernetes/object.ts'
import type { CheckKind } from '../kind.ts'
import { fillIn, targetOf } from './credentials.ts'
import { basicAuth, callJson, httpUrl } from '../../../platform/clients/http.ts'

export const alertmanager: CheckKind<AlertmanagerCheck> = {
  key: 'alertmanager',
  schema: AlertmanagerCheck,
  templatable: true,
  endpoint: (spec) => spec.url ?? spec.connection ?? '',
  async run(run, spec) {
    const target = await targetOf(run, spec)
    const url = httpUrl(await fillIn(run, target.url ?? ''))
    const username = target.username ?? decodeURIComponent(url.username)
    const password = target.password ?? decodeURIComponent(url.password)
    url.username = url.password = ''
    url.pathname = `${url.pathname.replace(/\/$/, '')}/api/v2/alerts`
    for (const matcher of matchersOf(spec)) url.searchParams.append('filter', matcher)
    if (username) run.secret(`${username}:${password}`)
    const found = await callJson(run, {
      url,
      tls: target.insecureTls ? { rejectUnauthorized: false } : undefined,
      headers: username ? { authorization: basicAuth(username, password) } : {},
    })
    const alerts = records(found).map((alert) => {
      const labels = record(alert.labels) as Record<string, string>
      const annotations = record(alert.annotations) as Record<string, string>
      return {
        name: alertName(labels),
        message: annotations.message ?? annotations.description ?? annotations.summary ?? '',
        labels,
        annotations,
        fingerprint: word(alert.fingerprint),
      }
    })
    return { pass: true, detail: { alerts }, message: `${alerts.length} alerts` }
  },
}

const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`

/** All matchers must hold at once, so the names that may occur are one pattern. */
export function matchersOf(
  spec: Pick<AlertmanagerCheck, 'alerts' | 'filters' | 'exclude_filters' | 'ignore'>,
): string[] {
  const matchers: string[] = []
  if (spec.alerts?.length) matchers.push(`alertname=~${quoted(spec.alerts.join('|'))}`)
  for (const name of spec.ignore ?? []) matchers.push(`alertname!~${quoted(name)}`)
  for (const [label, value] of Object.entries(spec.filters ?? {})) matchers.push(`${label}=~${quoted(value)}`)
  for (const [label, value] of Object.entries(spec.exclude_filters ?? {})) matchers.push(`${label}!=${quoted(value)}`)
  return matchers
}

const owners = ['deployment', 'daemonset', 'statefulset', 'cronjob_name', 'job_name', 'pod']

export function alertName(labels: Record<string, string>): string {
  const owner = owners.find((label) => labels[label])
  const container = labels.container && labels.container !== labels.job ? labels.container : undefined
  return [labels.alertname, labels.namespace, labels.node, owner && labels[owner], container].filter(Boolean).join('/')
}
