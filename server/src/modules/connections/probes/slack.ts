import { record, word } from '../../../platform/kubernetes/object.ts'
import { apiOf, askGood, need, type Probe, tlsOf } from './probe.ts'

export const slack: Probe = async (run, target) => {
  const headers = { authorization: `Bearer ${need(target.password, 'the bot token')}` }
  const url = `${apiOf(target, 'https://slack.com/api')}/auth.test`
  // Slack says no with the code 200.
  const answer = record(await askGood(run, { url, method: 'POST', headers, tls: tlsOf(target) }))
  if (answer.ok !== true) throw new Error(`Slack answered ${word(answer.error) || 'that the token is wrong'}`)
}
