import { apiOf, askGood, need, type Probe, tlsOf } from './probe.ts'

export const discord: Probe = async (run, target) => {
  const id = encodeURIComponent(need(target.username, 'the webhook id'))
  const token = encodeURIComponent(need(target.password, 'the token'))
  await askGood(run, { url: `${apiOf(target, 'https://discord.com/api')}/webhooks/${id}/${token}`, tls: tlsOf(target) })
}
