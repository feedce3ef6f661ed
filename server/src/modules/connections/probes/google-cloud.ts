import { googleHeaders } from '../../../platform/cloud/google.ts'
import { askGood, need, type Probe, tlsOf } from './probe.ts'

const scope = 'https://www.googleapis.com/auth/cloud-platform.read-only'

export const googleCloud: Probe = async (run, target) => {
  const headers = await googleHeaders(run, need(target.certificate, 'the key of the service account'), scope)
  const root = (target.url || 'https://cloudresourcemanager.googleapis.com').replace(/\/+$/, '')
  await askGood(run, { url: `${root}/v1/projects?pageSize=1`, headers, tls: tlsOf(target) })
}
