import { apiOf, askGood, need, type Probe, tlsOf } from './probe.ts'

export const telegram: Probe = async (run, target) => {
  const token = need(target.password, 'the token')
  await askGood(run, {
    url: `${apiOf(target, 'https://api.telegram.org')}/bot${encodeURI(token)}/getMe`,
    tls: tlsOf(target),
  })
}
