import { choice, envVar, list, section, text } from '@/ui/form/declare.ts'
import { rows } from '../rows-field.tsx'
import { itemDetails, mapping, type ScraperKind, startWith, transform } from './kind.ts'

export const kubernetesFile: ScraperKind = {
  key: 'kubernetesFile',
  label: 'Kubernetes File',
  icon: 'kubernetesfile',
  about: 'Files inside the containers of a cluster',
  fields: [
    ...mapping({ needsId: true, format: false }),
    section('Where', [
      choice('selector.kind', ['Pod', 'Deployment', 'StatefulSet'], { label: 'Kind', required: true }),
      text('selector.name', { label: 'Name' }),
      text('selector.namespace', { label: 'Namespace' }),
      text('selector.labelSelector', { label: 'Label selector' }),
      text('selector.fieldSelector', { label: 'Field selector' }),
      text('container'),
      envVar('kubeconfig', { hint: 'The cluster the server runs in when empty' }),
    ]),
    rows(
      'files',
      'files',
      [
        list('path', { label: 'Paths', itemLabel: 'Path', placeholder: '/etc/app/config.yaml' }),
        choice('format', ['json', 'yaml', 'properties']),
      ],
      { label: 'Files', start: { path: [''] } },
    ),
    transform,
    itemDetails,
  ],
  start: startWith('kubernetesFile', { type: '', id: '', selector: { kind: 'Pod' }, files: [{ path: [''] }] }),
}
