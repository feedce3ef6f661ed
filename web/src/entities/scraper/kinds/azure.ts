import { envVar, list, section, text } from '@/ui/form/declare.ts'
import { connection, itemDetails, type ScraperKind, startWith, transform } from './kind.ts'

export const azure: ScraperKind = {
  key: 'azure',
  label: 'Azure',
  icon: 'azure',
  about: 'Resources of a subscription, its activity log and recommendations',
  fields: [
    connection,
    text('subscriptionID', { label: 'Subscription ID', required: true }),
    text('organisation'),
    envVar('clientID', { label: 'Client ID', plain: true }),
    envVar('clientSecret'),
    text('tenantID', { label: 'Tenant ID' }),
    section('Exclusions', [list('exclusions.activityLogs', { label: 'Activity logs', itemLabel: 'Operation' })], {
      collapsed: true,
    }),
    transform,
    itemDetails,
  ],
  start: startWith('azure', { subscriptionID: '' }),
}
