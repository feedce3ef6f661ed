import { duration, envVar, list, many, section, text, toggle } from '@/ui/form/declare.ts'
import { type ScraperKind, startWith } from './kind.ts'

export const trivy: ScraperKind = {
  key: 'trivy',
  label: 'Trivy',
  icon: 'trivy',
  about: 'Weaknesses of what runs in a cluster, as insights',
  fields: [
    text('version', { hint: 'The installed program must have it' }),
    duration('timeout', { placeholder: '60m' }),
    many('severity', ['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'], { hint: 'All when empty' }),
    many('scanners', ['vuln', 'config', 'secret', 'rbac', 'license'], { creatable: true }),
    many('vulnType', ['os', 'library'], { label: 'Kinds of weaknesses', creatable: true }),
    many('compliance', ['k8s-cis', 'k8s-nsa', 'k8s-pss-baseline', 'k8s-pss-restricted'], { creatable: true }),
    list('ignoredLicenses', { label: 'Ignored licences', itemLabel: 'Licence' }),
    toggle('ignoreUnfixed', { label: 'Ignore what has no fix' }),
    toggle('licenseFull', { label: 'Look for licences in all files' }),
    section('Cluster', [
      list('kubernetes.components', { label: 'Components', itemLabel: 'Component', placeholder: 'workload' }),
      text('kubernetes.clusterName', { label: 'Cluster name', hint: 'As the Kubernetes scraper has it' }),
      text('kubernetes.namespace', { label: 'Namespace', hint: 'All when empty' }),
      text('kubernetes.context', { label: 'Context' }),
      envVar('kubernetes.kubeconfig', { label: 'Kubeconfig' }),
    ]),
  ],
  start: startWith('trivy', { kubernetes: {} }, '@daily'),
}
