import { withLdap } from '../../../platform/clients/ldap.ts'
import type { Probe } from './probe.ts'

/** A server that does not know who asks still answers a bind. */
export const ldap: Probe = (run, target) => withLdap(run, target, async () => undefined)
