import { choice, icon, list, text } from '@/ui/form/declare.ts'
import { connection, itemDetails, mapping, type ScraperKind, startWith, transform } from './kind.ts'

export const file: ScraperKind = {
  key: 'file',
  label: 'File',
  icon: 'file',
  about: 'Documents in a folder, a git repository or behind an address',
  fields: [
    text('url', { label: 'URL', wide: true, placeholder: '/etc/racks or git::https://host/repo.git//folder?ref=main' }),
    connection,
    list('paths', { itemLabel: 'Path', placeholder: '**/*.yaml', hint: 'All .json, .yaml and .yml when empty' }),
    list('ignore', { itemLabel: 'Path', placeholder: '**/test/**' }),
    choice('format', ['json', 'yaml', 'properties'], { required: true }),
    icon('icon', { required: true }),
    ...mapping({ format: false }),
    transform,
    itemDetails,
  ],
  start: startWith('file', { url: '', format: 'yaml', icon: 'file', type: '', id: '' }),
}
