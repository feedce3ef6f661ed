import { record, word } from '../../../platform/kubernetes/object.ts'
import { ask, basic, need, type Probe, readJson, refusal, tlsOf } from './probe.ts'

/** Profiles are kept by a host of their own; servers in one's own network answer at their own address. */
const profiles = 'https://app.vssps.visualstudio.com'

export const azureDevops: Probe = async (run, target) => {
  const token = need(target.password, 'the access token')
  const given =
    target.url && !/^https:\/\/dev\.azure\.com/i.test(target.url) ? target.url.replace(/\/+$/, '') : profiles
  const answer = await ask(run, {
    url: `${given}/_apis/profile/profiles/me?api-version=7.1-preview.3`,
    headers: basic(run, { ...target, username: '', password: token }),
    tls: tlsOf(target),
  })
  // A wrong token is led to a sign-in page, with a code that looks good.
  if (answer.code !== 200) throw answer.code === 203 ? new Error('the access token was not accepted') : refusal(answer)
  if (!word(record(readJson(answer)).id)) throw new Error('the answer holds no profile')
}
