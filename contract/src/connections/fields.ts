import type { ConnectionField, Place } from './kind.ts'

// The words of a declaration: fields: [url({ required: true }), username(), password(), insecureTls]

type More = Partial<Omit<ConnectionField, 'to'>>
const field =
  (kind: ConnectionField['kind'], key: string, label: string, to: Place) =>
  (more: More = {}): ConnectionField => ({ key, label, to, kind, ...more })

export const url = field('value', 'url', 'URL', 'url')
export const username = field('value', 'username', 'Username', 'username')
export const password = field('secret', 'password', 'Password', 'password')
export const certificate = (more: More = {}): ConnectionField => ({
  key: 'certificate',
  label: 'Certificate',
  to: 'certificate',
  kind: 'secret',
  multiline: true,
  ...more,
})
export const insecureTls: ConnectionField = {
  key: 'insecure_tls',
  label: 'Insecure TLS',
  to: 'insecure_tls',
  kind: 'switch',
  default: false,
  hint: 'Accepts any certificate. Only for servers in your own network.',
}

const capital = (key: string) => key.charAt(0).toUpperCase() + key.slice(1)

/** Text kept as a property. */
export const property = (key: string, more: More = {}): ConnectionField => ({
  key,
  label: capital(key),
  to: `properties.${key}`,
  kind: 'text',
  ...more,
})

/** A property nobody sees again. */
export const secretProperty = (key: string, more: More = {}): ConnectionField => ({
  ...property(key, more),
  kind: 'secret',
})

export const port = (usual: number, more: More = {}): ConnectionField => ({
  ...property('port', more),
  kind: 'number',
  default: usual,
  min: 1,
  max: 65_535,
})

/** Where the service's API is, for gateways in between and for trying things out. */
export const endpoint = (usual: string): ConnectionField =>
  property('endpoint', { label: 'API address', placeholder: usual, hint: `${usual} unless given.` })

/** The fields that most servers need. */
export const common = (more: { url?: More; certificate?: More } = {}): ConnectionField[] => [
  url({ required: true, ...more.url }),
  username(),
  password(),
  certificate(more.certificate),
  insecureTls,
]

/** What services of AWS ask for, around fields of their own. */
export const awsAccess = (endpoint: string, own: ConnectionField[] = []): ConnectionField[] => [
  property('region', { required: true, placeholder: 'us-east-1' }),
  property('profile'),
  username({ label: 'Access key', required: true }),
  password({ label: 'Secret key', required: true }),
  ...own,
  url({
    label: 'Endpoint',
    placeholder: endpoint,
    hint: 'Only for services that speak the AWS protocols elsewhere.',
  }),
  { ...insecureTls, also: ['properties.insecureTLS'] },
]
