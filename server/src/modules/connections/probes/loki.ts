import { askGood, basic, type Probe, tlsOf, under } from './probe.ts'

export const loki: Probe = async (run, target) => {
  const { url, who } = under(target, '/loki/api/v1/labels')
  await askGood(run, { url, headers: basic(run, who), tls: tlsOf(target) })
}
