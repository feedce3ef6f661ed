import { createHash, createHmac } from 'node:crypto'

export interface AwsCredentials {
  accessKey: string
  secretKey: string
  sessionToken?: string
}

export interface SigningRequest {
  method: string
  url: URL
  headers?: Record<string, string>
  body?: string | Uint8Array
  service: string
  region: string
  now?: Date
}

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()
/** Everything but the unreserved characters is percent-encoded, as AWS compares byte by byte. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`)

/** The headers of an AWS request with its Signature Version 4. */
export function signAws(request: SigningRequest, credentials: AwsCredentials): Record<string, string> {
  const { method, url, body = '', service, region, now = new Date() } = request
  const stamp = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = stamp.slice(0, 8)
  const bodyHash = sha256(body)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value.trim()
  headers.host = url.host
  headers['x-amz-date'] = stamp
  if (service === 's3') headers['x-amz-content-sha256'] = bodyHash
  if (credentials.sessionToken) headers['x-amz-security-token'] = credentials.sessionToken
  const names = Object.keys(headers).sort()
  const signed = names.join(';')
  const canonical = [
    method,
    canonicalPath(url, service),
    canonicalQuery(url),
    ...names.map((name) => `${name}:${headers[name]!.replace(/\s+/g, ' ')}`),
    '',
    signed,
    bodyHash,
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n')
  const key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${credentials.secretKey}`, day))
  const signature = hmac(key, text).toString('hex')
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKey}/${scope}, SignedHeaders=${signed}, Signature=${signature}`
  return headers
}

/** S3 signs the path as sent, every other service a second encoding of it. */
function canonicalPath(url: URL, service: string): string {
  const parts = url.pathname.split('/').map((part) => encode(decodeURIComponent(part)))
  return (service === 's3' ? parts : parts.map(encode)).join('/') || '/'
}

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
