import { googleHeaders } from '../../../platform/cloud/google.ts'
import { askGood, need, type Probe, tlsOf } from './probe.ts'

const scope = 'https://www.googleapis.com/auth/devstorage.read_only'

export const gcs: Probe = async (run, target) => {
  const bucket = need(target.properties.bucket, 'the bucket')
  const headers = await googleHeaders(run, target.certificate, scope)
  const root = (target.properties.endpoint || target.url || 'https://storage.googleapis.com').replace(/\/+$/, '')
  await askGood(run, { url: `${root}/storage/v1/b/${encodeURIComponent(bucket)}`, headers, tls: tlsOf(target) })
}
