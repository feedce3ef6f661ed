import { askGood, need, type Probe, tlsOf } from './probe.ts'

export const dynatrace: Probe = async (run, target) => {
  const host = need(target.url, 'the host').replace(/\/+$/, '')
  const root = /^https?:\/\//.test(host) ? host : `${target.properties.scheme || 'https'}://${host}`
  const headers = { authorization: `Api-Token ${need(target.password, 'the API key')}` }
  await askGood(run, { url: `${root}/api/v2/problems?pageSize=1`, headers, tls: tlsOf(target) })
}
