import { askGood, basic, hostOf, type Probe, tlsOf } from './probe.ts'

export const zulipChat: Probe = async (run, target) => {
  await askGood(run, {
    url: `https://${hostOf(target)}/api/v1/users/me`,
    headers: basic(run, target),
    tls: tlsOf(target),
  })
}
