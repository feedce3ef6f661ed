import { type ClientRun, InvalidTarget } from '../clients/run.ts'
import { type AwsAccess, awsRequest, awsText } from './aws.ts'
import { record, records, word } from '../kubernetes/object.ts'
import { readXml } from '../clients/xml.ts'
import { type HttpAnswer, httpUrl } from '../clients/http.ts'

export interface Bucket {
  access: AwsAccess
  name: string
  /** The bucket in the path instead of the host name; servers other than AWS usually want it. */
  pathStyle: boolean
}

export interface S3Object {
  key: string
  size: number
  modified: Date
}

function urlOf({ access, name, pathStyle }: Bucket, key: string): URL {
  const url = httpUrl(access.endpoint ?? `https://s3.${access.region}.amazonaws.com`, 'endpoint')
  const base = url.pathname.replace(/\/$/, '')
  const path = key.split('/').map(encodeURIComponent).join('/')
  if (pathStyle) url.pathname = `${base}/${encodeURIComponent(name)}/${path}`
  else {
    url.hostname = `${name}.${url.hostname}`
    url.pathname = `${base}/${path}`
  }
  return url
}

export function s3Request(
  run: ClientRun,
  bucket: Bucket,
  method: string,
  key: string,
  body?: string,
  query: Record<string, string> = {},
): Promise<HttpAnswer> {
  if (!bucket.name) throw new InvalidTarget('there is no bucket')
  const url = urlOf(bucket, key)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  // URLSearchParams writes a blank as "+", which is signed as "%20".
  url.search = url.search.replaceAll('+', '%20')
  return awsRequest(run, bucket.access, { service: 's3', method, url, body })
}

/** Objects under a prefix, at most so many. */
export async function listObjects(
  run: ClientRun,
  bucket: Bucket,
  { prefix = '', delimiter, most }: { prefix?: string; delimiter?: string; most: number },
): Promise<S3Object[]> {
  const found: S3Object[] = []
  let token: string | undefined
  do {
    const query: Record<string, string> = { 'list-type': '2', 'max-keys': String(Math.min(1000, most - found.length)) }
    if (prefix) query.prefix = prefix
    if (delimiter) query.delimiter = delimiter
    if (token) query['continuation-token'] = token
    const answer = awsText(await s3Request(run, bucket, 'GET', '', undefined, query), `listing ${bucket.name}`)
    const page = record(readXml(answer, ['Contents']).ListBucketResult)
    for (const each of records(page.Contents))
      found.push({ key: word(each.Key), size: Number(each.Size), modified: new Date(word(each.LastModified)) })
    token = word(page.IsTruncated) === 'true' ? word(page.NextContinuationToken) : undefined
  } while (token && found.length < most)
  return found
}
