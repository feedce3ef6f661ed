import { envVar, number, section, text } from '@/ui/form/declare.ts'
import { type CheckKind, connection, details, name, startWith } from './kind.ts'

export const redis: CheckKind = {
  key: 'redis',
  label: 'Redis',
  icon: 'redis',
  fields: [
    name,
    text('url', { label: 'URL', required: true, when: (check) => check.url !== undefined }),
    text('addr', {
      label: 'Address',
      required: true,
      placeholder: 'redis:6379',
      when: (check) => check.url === undefined && !check.connection,
    }),
    number('db', { label: 'Database', min: 0, placeholder: '0' }),
    section('Access', [connection, envVar('username', { plain: true }), envVar('password')], { collapsed: true }),
    details,
  ],
  start: startWith('redis', { addr: '' }),
}
