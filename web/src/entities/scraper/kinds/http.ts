import { choice, code, envVar, list, map, section, text, toggle } from '@/ui/form/declare.ts'
import { connection, itemDetails, itemIcon, mapping, type ScraperKind, startWith, transform } from './kind.ts'

/** References to secrets among the headers are kept as they are; they are edited as YAML. */
const allText = (source: Record<string, unknown>) =>
  Object.values((source.headers as object | undefined) ?? {}).every((value) => typeof value === 'string')

export const http: ScraperKind = {
  key: 'http',
  label: 'HTTP',
  icon: 'http',
  about: 'The answer of a request',
  fields: [
    text('url', { label: 'URL', required: true, wide: true, when: (source) => !source.connection }),
    connection,
    choice('method', ['GET', 'POST', 'PUT'], { placeholder: 'GET' }),
    choice('format', ['json', 'yaml', 'properties'], { required: true }),
    ...mapping({ format: false }),
    itemIcon,
    section('Request', [code('body', { size: 'very-small' }), map('headers', { keyLabel: 'Header', when: allText })], {
      collapsed: true,
    }),
    section(
      'Access',
      [
        envVar('username', { plain: true }),
        envVar('password'),
        envVar('bearer', { label: 'Bearer token' }),
        envVar('oauth.clientID', { label: 'OAuth client ID', plain: true }),
        envVar('oauth.clientSecret', { label: 'OAuth client secret' }),
        text('oauth.tokenURL', { label: 'OAuth token URL' }),
        list('oauth.scope', { label: 'OAuth scopes', itemLabel: 'Scope' }),
        toggle('tls.insecureSkipVerify', { label: 'Skip TLS verification' }),
      ],
      { collapsed: true },
    ),
    transform,
    itemDetails,
  ],
  start: startWith('http', { url: '', format: 'json', type: '', id: '' }),
}
