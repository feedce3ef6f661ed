import { LdapCheck } from '@quarterdeck/contract/checks/ldap'
import type { CheckKind } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { targetOf } from './credentials.ts'
import { checkedAddress } from './network.ts'
import { driver, onAbort } from './support.ts'

export const ldap: CheckKind<LdapCheck> = {
  key: 'ldap',
  schema: LdapCheck,
  templatable: false,
  endpoint: (spec) => spec.url ?? spec.connection ?? '',
  timeoutMs: () => 15_000,
  async run(run, spec) {
    const target = await targetOf(run, spec)
    const url = ldapUrl(target.url)
    const { Client } = await driver('ldapts', () => import('ldapts'))
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const address = await checkedAddress(run, host)
    const secure = url.protocol === 'ldaps:'
    const tlsOptions = { servername: host, rejectUnauthorized: !(spec.skipTLSVerify ?? target.insecureTls) }
    const client = new Client({
      url: `${url.protocol}//${address.includes(':') ? `[${address}]` : address}:${url.port || (secure ? 636 : 389)}`,
      timeout: run.timeout,
      connectTimeout: run.timeout,
      ...(secure ? { tlsOptions } : {}),
    })
    const forget = onAbort(run.signal, () => void client.unbind().catch(() => undefined))
    try {
      await client.bind(target.username ?? '', target.password ?? '').catch((error: Error) => {
        throw new Error(`bind failed: ${error.message || error.name}`)
      })
      const { searchEntries } = await client.search(spec.bindDN, {
        scope: 'sub',
        filter: spec.userSearch || '(objectClass=*)',
        sizeLimit: 100,
        attributes: ['1.1'],
      })
      const found = searchEntries.length
      if (found === 0) return { pass: false, errors: [`nothing was found under ${spec.bindDN}`] }
      return { pass: true, message: `${found} entries` }
    } catch (error) {
      // More entries than asked for is an answer as well.
      if ((error as { code?: number }).code === 4) return { pass: true, message: 'more than 100 entries' }
      throw error
    } finally {
      forget()
      await client.unbind().catch(() => undefined)
    }
  },
}

function ldapUrl(text: string | undefined): URL {
  if (!text) throw new InvalidCheck('there is no url, neither here nor in the connection')
  try {
    const url = new URL(text)
    if ((url.protocol === 'ldap:' || url.protocol === 'ldaps:') && url.hostname) return url
  } catch {
    // Said below.
  }
  throw new InvalidCheck('the url must start with ldap:// or ldaps://')
}
