import { ask, basic, type Probe, refusal, tlsOf, under } from './probe.ts'

export const elasticsearch: Probe = async (run, target) => {
  const { url, who } = under(target, '/_cluster/health')
  const answer = await ask(run, { url, headers: basic(run, who), tls: tlsOf(target) })
  if (answer.code !== 200) throw refusal(answer)
}
