import { envVar, list, text } from '@/ui/form/declare.ts'
import { connection, itemDetails, type ScraperKind, startWith, transform } from './kind.ts'

export const githubActions: ScraperKind = {
  key: 'githubActions',
  label: 'GitHub Actions',
  icon: 'github',
  about: 'Workflows of a repository and their runs',
  fields: [
    text('owner', { required: true }),
    text('repository', { required: true }),
    connection,
    envVar('personalAccessToken', { label: 'Access token', when: (source) => !source.connection }),
    list('workflows', { itemLabel: 'Workflow', hint: 'All when empty' }),
    transform,
    itemDetails,
  ],
  start: startWith('githubActions', { owner: '', repository: '' }),
}
