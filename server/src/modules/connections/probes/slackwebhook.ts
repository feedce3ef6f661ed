import { ask, need, type Probe, refusal, tlsOf } from './probe.ts'

/** What Slack says to a message without text when the webhook itself is good. */
const good = /no_text|invalid_payload|missing_text_or_fallback_or_attachments/

export const slackwebhook: Probe = async (run, target) => {
  const answer = await ask(run, { url: need(target.url, 'the address'), json: {}, tls: tlsOf(target) })
  if (answer.code !== 200 && !(answer.code === 400 && good.test(answer.body.toString()))) throw refusal(answer)
}
