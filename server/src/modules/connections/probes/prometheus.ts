import { askGood, basic, type Probe, tlsOf, under } from './probe.ts'

export const prometheus: Probe = async (run, target) => {
  const { url, who } = under(target, '/api/v1/status/config')
  const { bearer } = target.properties
  const headers: Record<string, string> = bearer ? { authorization: `Bearer ${bearer}` } : basic(run, who)
  await askGood(run, { url, headers, tls: tlsOf(target) })
}
