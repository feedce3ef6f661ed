import { askGood, need, type Probe, tlsOf } from './probe.ts'

export const github: Probe = async (run, target) => {
  const root = (target.url || 'https://api.github.com').replace(/\/+$/, '')
  const headers = {
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    authorization: `Bearer ${need(target.password, 'the access token')}`,
  }
  await askGood(run, { url: `${root}/user`, headers, tls: tlsOf(target) })
}
