import { LdapCheck } from '@quarterdeck/contract/checks/ldap'
import { withLdap } from '../../../platform/clients/ldap.ts'
import type { CheckKind } from '../kind.ts'
import { targetOf } from './credentials.ts'

export const ldap: CheckKind<LdapCheck> = {
  key: 'ldap',
  schema: LdapCheck,
  templatable: false,
  endpoint: (spec) => spec.url ?? spec.connection ?? '',
  timeoutMs: () => 15_000,
  async run(run, spec) {
    const target = await targetOf(run, spec)
    const insecureTls = spec.skipTLSVerify ?? target.insecureTls
    try {
      const found = await withLdap(run, { ...target, insecureTls }, async (client) => {
        const options = { scope: 'sub', filter: spec.userSearch || '(objectClass=*)', sizeLimit: 100 } as const
        return (await client.search(spec.bindDN, { ...options, attributes: ['1.1'] })).searchEntries.length
      })
      if (found === 0) return { pass: false, errors: [`nothing was found under ${spec.bindDN}`] }
      return { pass: true, message: `${found} entries` }
    } catch (error) {
      // More entries than asked for is an answer as well.
      if ((error as { code?: number }).code === 4) return { pass: true, message: 'more than 100 entries' }
      throw error
    }
  },
}
