import { code, envVar, number, section, text } from '@/ui/form/declare.ts'
import { type CheckKind, connection, details, expressions, name, startWith } from './kind.ts'

export const elasticsearch: CheckKind = {
  key: 'elasticsearch',
  label: 'Elasticsearch',
  icon: 'elasticsearch',
  fields: [
    name,
    text('url', {
      label: 'Host',
      required: true,
      placeholder: 'http://elasticsearch:9200',
      when: (check) => !check.connection,
    }),
    text('index'),
    number('results', { min: 0, hint: 'Hits that must be found, exactly' }),
    code('query', { language: 'json', hint: 'Search body as JSON' }),
    section('Access', [connection, envVar('username', { plain: true }), envVar('password')], { collapsed: true }),
    expressions,
    details,
  ],
  start: startWith('elasticsearch', { url: '', index: '', query: '', results: 0 }),
}
