import { envVar, list, text } from '@/ui/form/declare.ts'
import { connection, itemDetails, type ScraperKind, startWith, transform } from './kind.ts'

export const azureDevops: ScraperKind = {
  key: 'azureDevops',
  label: 'Azure DevOps',
  icon: 'azure_devops',
  about: 'Pipelines and their runs',
  fields: [
    connection,
    text('organization', { when: (source) => !source.connection }),
    envVar('personalAccessToken', { label: 'Access token', when: (source) => !source.connection }),
    list('projects', { itemLabel: 'Project', required: true }),
    list('pipelines', { itemLabel: 'Pipeline', hint: 'All when empty' }),
    text('id', { label: 'ID', hint: 'CEL over project, pipeline and organization', wide: true }),
    transform,
    itemDetails,
  ],
  start: startWith('azureDevops', { projects: [''], pipelines: [] }),
}
