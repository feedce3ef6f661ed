import { envVar, section, text, toggle } from '@/ui/form/declare.ts'
import { itemDetails, type ScraperKind, startWith, transform } from './kind.ts'

export const terraform: ScraperKind = {
  key: 'terraform',
  label: 'Terraform',
  icon: 'terraform',
  about: 'State files of modules, and what they made',
  fields: [
    text('state.local', {
      label: 'State files',
      wide: true,
      placeholder: '/var/lib/terraform/**/*.tfstate',
      hint: 'On the machine of this server',
    }),
    text('name', { placeholder: '{{ .path }}', hint: 'Go template over path' }),
    section(
      'State in a bucket',
      [
        text('state.s3.bucket', { label: 'Bucket' }),
        text('state.s3.objectPath', { label: 'Object path', placeholder: 'states/**/*.tfstate' }),
        text('state.s3.connection', { label: 'Connection', placeholder: 'connection://namespace/name', wide: true }),
        envVar('state.s3.accessKey', { label: 'Access key' }),
        envVar('state.s3.secretKey', { label: 'Secret key' }),
        text('state.s3.region', { label: 'Region' }),
        text('state.s3.endpoint', { label: 'Endpoint' }),
        toggle('state.s3.usePathStyle', { label: 'Path style' }),
        toggle('state.s3.skipTLSVerify', { label: 'Skip TLS verification' }),
      ],
      { collapsed: true },
    ),
    transform,
    itemDetails,
  ],
  start: startWith('terraform', { state: { local: '' } }),
}
