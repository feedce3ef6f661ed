import { choice, code, envVar, section, text } from '@/ui/form/declare.ts'
import { itemDetails, mapping, type ScraperKind, startWith, transform } from './kind.ts'

export const sql: ScraperKind = {
  key: 'sql',
  label: 'SQL',
  icon: 'database',
  about: 'The rows of a query, one item each',
  fields: [
    text('connection', {
      required: true,
      wide: true,
      placeholder: 'connection://namespace/name or postgres://host/db',
    }),
    code('query', { required: true, hint: 'Each row is an item; a row of one column gives the document itself' }),
    ...mapping({ needsId: true, format: false }),
    section(
      'Access',
      [
        choice('driver', ['postgres', 'mysql', 'mssql'], { hint: 'Read from the address when empty' }),
        envVar('auth.username', { label: 'Username', plain: true }),
        envVar('auth.password', { label: 'Password' }),
      ],
      { collapsed: true },
    ),
    transform,
    itemDetails,
  ],
  start: startWith('sql', { connection: '', query: '', type: '', id: '' }),
}
