import { choice, duration, envVar, list, map, number, section, text, toggle } from '@/ui/form/declare.ts'
import { lookup } from '../lookup-field.tsx'
import { rows } from '../rows-field.tsx'
import { connection, itemDetails, type ScraperKind, startWith, transform } from './kind.ts'

export const kubernetes: ScraperKind = {
  key: 'kubernetes',
  label: 'Kubernetes',
  icon: 'kubernetes',
  about: 'The objects of a cluster, their events and how they belong together',
  fields: [
    text('clusterName', { label: 'Cluster Name', required: true }),
    envVar('kubeconfig', { hint: 'The cluster the server runs in when empty' }),
    connection,
    text('namespace', { hint: 'All when empty' }),
    choice('scope', ['cluster', 'namespace'], { placeholder: 'Both', hint: 'Only kinds without or with a namespace' }),
    duration('since', { placeholder: '24h', hint: 'Only objects created so long ago at most' }),
    number('maxInflight', { label: 'Max in flight', min: 1, placeholder: '64' }),
    text('selector', { hint: 'Label selector' }),
    text('fieldSelector', { label: 'Field selector' }),
    toggle('allowIncomplete', { label: 'Allow incomplete', hint: 'Kinds that may not be read are no failure' }),
    section(
      'Exclusions',
      [
        list('exclusions.name', { label: 'Names', itemLabel: 'Name' }),
        list('exclusions.kind', { label: 'Kinds', itemLabel: 'Kind' }),
        list('exclusions.namespace', { label: 'Namespaces', itemLabel: 'Namespace' }),
        map('exclusions.labels', { label: 'Labels', keyLabel: 'Label' }),
      ],
      { collapsed: true },
    ),
    section(
      'Watch',
      [
        rows(
          'watch',
          'kind',
          [
            text('apiVersion', { label: 'API version', placeholder: 'apps/v1' }),
            text('kind', { required: true, placeholder: 'Deployment' }),
          ],
          {
            start: { apiVersion: '', kind: '' },
            label: 'Kinds',
            hint: 'Followed while they change; workloads, nodes and pods when empty',
          },
        ),
      ],
      { collapsed: true },
    ),
    section(
      'Events',
      [
        list('event.exclusions.name', { label: 'Excluded names', itemLabel: 'Name' }),
        list('event.exclusions.namespace', { label: 'Excluded namespaces', itemLabel: 'Namespace' }),
        list('event.exclusions.reason', { label: 'Excluded reasons', itemLabel: 'Reason' }),
        list('event.severityKeywords.warn', { label: 'Words of a warning', itemLabel: 'Word' }),
        list('event.severityKeywords.error', { label: 'Words of an error', itemLabel: 'Word' }),
      ],
      { collapsed: true },
    ),
    section(
      'Relationships',
      [rows('relationships', 'relationship', [lookup('kind'), lookup('name'), lookup('namespace')])],
      { collapsed: true },
    ),
    transform,
    itemDetails,
  ],
  start: startWith('kubernetes', { clusterName: '', maxInflight: 64 }, '@every 30m'),
}
