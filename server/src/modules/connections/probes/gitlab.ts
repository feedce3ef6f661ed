import { askGood, need, type Probe, tlsOf } from './probe.ts'

export const gitlab: Probe = async (run, target) => {
  const root = (target.url || 'https://gitlab.com').replace(/\/+$/, '').replace(/\/api\/v4$/, '')
  const headers = { 'private-token': need(target.password, 'the access token') }
  await askGood(run, { url: `${root}/api/v4/user`, headers, tls: tlsOf(target) })
}
