import type { Target } from '../../../platform/clients/run.ts'
import { ask, need, type Probe, type ProbeRun, refusal, tlsOf, under } from './probe.ts'

/** Answers that say that nobody is there for us; 405 and the like say that somebody is, only not for this question. */
const refused = new Set([401, 403, 404, 410])

/** Posting would do something, so only the options are asked for. */
export async function askOptions(run: ProbeRun, target: Target, address: string): Promise<void> {
  const { url } = under({ ...target, url: address }, '')
  const answer = await ask(run, { url, method: 'OPTIONS', tls: tlsOf(target) })
  if (refused.has(answer.code) || answer.code >= 500) throw refusal(answer)
}

export const webhook: Probe = (run, target) => askOptions(run, target, need(target.url, 'the address'))
