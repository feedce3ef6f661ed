import { record, word } from '../../../platform/kubernetes/object.ts'
import { askGood, hostOf, need, type Probe, tlsOf } from './probe.ts'

/** The session made for this ends at once, so that tests leave no devices behind. */
export const matrix: Probe = async (run, target) => {
  const scheme = /[?&]DisableTLS=(true|yes|1)/i.test(target.url ?? '') ? 'http' : 'https'
  const root = `${scheme}://${hostOf(target)}/_matrix/client/v3`
  const tls = tlsOf(target)
  const answer = await askGood(run, {
    url: `${root}/login`,
    tls,
    json: {
      type: 'm.login.password',
      identifier: { type: 'm.id.user', user: need(target.username, 'the username') },
      password: need(target.password, 'the password'),
    },
  })
  const token = word(record(answer).access_token)
  if (!token) throw new Error('the answer holds no token')
  run.secret(token)
  await askGood(run, { url: `${root}/logout`, tls, json: {}, headers: { authorization: `Bearer ${token}` } })
}
