import { choice, code, number, text } from '@/ui/form/declare.ts'
import { section } from '@/ui/form/declare.ts'
import { envList } from './env-list-field.tsx'
import { authentication, responseCodes } from './http-fields.tsx'
import { type CheckKind, details, expressions, name, startWith, threshold } from './kind.ts'

export const http: CheckKind = {
  key: 'http',
  label: 'HTTP',
  icon: 'http',
  fields: [
    name,
    text('url', { label: 'URL', required: true, placeholder: 'https://example.com/healthz' }),
    choice('method', ['GET', 'POST', 'PUT', 'DELETE'], { placeholder: 'GET' }),
    threshold,
    responseCodes('responseCodes'),
    text('responseContent', { hint: 'Text that the answer must contain' }),
    number('maxSSLExpiry', {
      label: 'Certificate still valid for',
      min: 0,
      unit: 'days',
      hint: 'Fails when the certificate ends sooner',
    }),
    section('Request', [code('body', { size: 'very-small' }), envList('headers', 'Header'), authentication], {
      collapsed: true,
    }),
    expressions,
    details,
  ],
  start: startWith('http', { url: '' }),
}
