import { choice, code, number } from '@/ui/form/declare.ts'
import { itemDetails, itemIcon, mapping, type ScraperKind, startWith, transform } from './kind.ts'

export const exec: ScraperKind = {
  key: 'exec',
  label: 'Script',
  icon: 'exec',
  about: 'What a shell script prints',
  fields: [
    code('script', { required: true, hint: 'Shell script; what it prints is the document' }),
    number('timeout', { min: 1, unit: 's', placeholder: '600' }),
    choice('format', ['json', 'yaml', 'properties'], { placeholder: 'json' }),
    ...mapping({ format: false }),
    itemIcon,
    transform,
    itemDetails,
  ],
  start: startWith('exec', { script: '', type: '', id: '' }),
}
