import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface Signed {
  accessKey: string
  region: string
  service: string
}

const sha256 = (data: string) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

/**
 * Checks Signature Version 4 of a request as a service does: from the raw path, query, headers and body that arrived.
 * Written apart from the signer, so that one checks the other. Gives what is wrong, or who signed for what.
 */
export function checkSignature(request: IncomingMessage, body: string, secretKey: string): Signed | string {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (!found) return 'IncompleteSignature'
  const [, accessKey = '', day = '', region = '', service = '', names = '', signature] = found
  const stamp = String(request.headers['x-amz-date'])
  if (!stamp.startsWith(day)) return 'SignatureDoesNotMatch: date'
  if (!names.split(';').includes('host')) return 'SignatureDoesNotMatch: host is not signed'
  const [path = '/', query = ''] = request.url!.split('?', 2)
  // Other services than S3 sign the path encoded once more.
  const canonicalPath = service === 's3' ? path : path.split('/').map(encodeURIComponent).join('/')
  const canonicalQuery = query
    .split('&')
    .filter(Boolean)
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort()
    .join('&')
  const headers = names
    .split(';')
    .map(
      (name) =>
        `${name}:${String(request.headers[name] ?? '')
          .trim()
          .replaceAll(/\s+/g, ' ')}\n`,
    )
    .join('')
  const canonical = [request.method, canonicalPath, canonicalQuery, headers, names, sha256(body)].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${secretKey}`, day), region), service), 'aws4_request')
  return hmac(key, text).toString('hex') === signature ? { accessKey, region, service } : 'SignatureDoesNotMatch'
}
