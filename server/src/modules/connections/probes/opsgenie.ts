import { ask, hostOf, need, type Probe, refusal, tlsOf } from './probe.ts'

export const opsgenie: Probe = async (run, target) => {
  const key = need(target.password, 'the API key')
  const headers = { authorization: `GenieKey ${key}` }
  const answer = await ask(run, { url: `https://${hostOf(target)}/v2/alerts?limit=1`, headers, tls: tlsOf(target) })
  // A key that may create alerts but not read them is known, which is what is asked here.
  if (answer.code !== 200 && answer.code !== 403) throw refusal(answer)
}
