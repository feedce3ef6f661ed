import { envVar, section, text } from '@/ui/form/declare.ts'
import { type CheckKind, connection, details, name, startWith } from './kind.ts'

export const mongodb: CheckKind = {
  key: 'mongodb',
  label: 'Mongo DB',
  icon: 'mongodb',
  fields: [
    name,
    text('url', {
      label: 'URL',
      required: true,
      placeholder: 'mongodb://mongo:27017/?authSource=admin',
      when: (check) => !check.connection,
    }),
    section('Access', [connection, envVar('username', { plain: true }), envVar('password')], { collapsed: true }),
    details,
  ],
  start: startWith('mongodb', { url: '' }),
}
