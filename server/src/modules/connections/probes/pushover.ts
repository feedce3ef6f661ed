import { record } from '../../../platform/kubernetes/object.ts'
import { apiOf, ask, need, type Probe, readJson, refusal, tlsOf } from './probe.ts'

export const pushover: Probe = async (run, target) => {
  const form = { token: need(target.password, 'the API token'), user: need(target.username, 'the user key') }
  const url = `${apiOf(target, 'https://api.pushover.net')}/1/users/validate.json`
  const answer = await ask(run, { url, form, tls: tlsOf(target) })
  if (answer.code !== 200 || record(readJson(answer)).status !== 1) throw refusal(answer)
}
