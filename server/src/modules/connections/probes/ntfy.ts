import { ask, basic, hostOf, need, type Probe, refusal, tlsOf } from './probe.ts'

export const ntfy: Probe = async (run, target) => {
  const scheme = /[?&]Scheme=http(&|$)/i.test(target.url ?? '') ? 'http' : 'https'
  const named = /^ntfy:\/\/[^/]+\/([^?/]+)/.exec(target.url ?? '')?.[1]
  const topic = target.properties.topic ? encodeURIComponent(target.properties.topic) : need(named, 'the topic')
  // Only the newest messages, and no waiting for more.
  const url = `${scheme}://${hostOf(target)}/${topic}/json?poll=1&since=10s`
  const answer = await ask(run, { url, headers: basic(run, target), tls: tlsOf(target) })
  if (answer.code !== 200) throw refusal(answer)
}
