import { envVar, map, section, tags, text } from '@/ui/form/declare.ts'
import { type CheckKind, connection, details, expressions, name, startWith } from './kind.ts'

export const alertmanager: CheckKind = {
  key: 'alertmanager',
  label: 'Alert Manager',
  icon: 'alertmanager',
  fields: [
    name,
    text('url', {
      label: 'URL',
      required: true,
      placeholder: 'http://alertmanager:9093',
      when: (check) => !check.connection,
    }),
    tags('alerts', { hint: 'Names of alerts, as regular expressions; all when empty' }),
    tags('ignore', { hint: 'Names of alerts to leave out' }),
    map('filters', { keyLabel: 'Label', hint: 'Labels that must match' }),
    map('exclude_filters', { keyLabel: 'Label', label: 'Exclude', hint: 'Labels that must not be equal' }),
    section('Access', [connection, envVar('username', { plain: true }), envVar('password')], { collapsed: true }),
    expressions,
    details,
  ],
  start: startWith('alertmanager', { url: '' }),
}
