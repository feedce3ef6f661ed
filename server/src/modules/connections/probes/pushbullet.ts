import { apiOf, askGood, need, type Probe, tlsOf } from './probe.ts'

export const pushbullet: Probe = async (run, target) => {
  const headers = { 'access-token': need(target.password, 'the access token') }
  await askGood(run, { url: `${apiOf(target, 'https://api.pushbullet.com')}/v2/users/me`, headers, tls: tlsOf(target) })
}
