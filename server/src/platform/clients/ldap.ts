import type { Client } from 'ldapts'
import { type ClientRun, InvalidTarget, type Target } from './run.ts'
import { checkedAddress } from './sockets.ts'
import { driver, onAbort } from './support.ts'

/** Binds to a directory, works with it, and leaves. */
export async function withLdap<T>(run: ClientRun, target: Target, work: (client: Client) => Promise<T>): Promise<T> {
  const url = ldapUrl(target.url)
  const { Client } = await driver('ldapts', () => import('ldapts'))
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const address = await checkedAddress(run, host)
  const secure = url.protocol === 'ldaps:'
  const tlsOptions = { servername: host, rejectUnauthorized: !target.insecureTls }
  const client = new Client({
    url: `${url.protocol}//${address.includes(':') ? `[${address}]` : address}:${url.port || (secure ? 636 : 389)}`,
    timeout: run.timeout,
    connectTimeout: run.timeout,
    ...(secure ? { tlsOptions } : {}),
  })
  const forget = onAbort(run.signal, () => void client.unbind().catch(() => undefined))
  try {
    await client.bind(target.username ?? '', target.password ?? '').catch((error: Error) => {
      throw new Error(`bind failed: ${wordsOf(error)}`)
    })
    return await work(client)
  } finally {
    forget()
    await client.unbind().catch(() => undefined)
  }
}

/** The driver's own words are a bare code; its names say more. */
function wordsOf({ name, message }: Error): string {
  if (message && !/^\s*Code: 0x/.test(message)) return message
  const words = name
    .replace(/Error$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return [words, message.trim() && `(${message.trim().toLowerCase()})`].filter(Boolean).join(' ')
}

function ldapUrl(text: string | undefined): URL {
  if (!text) throw new InvalidTarget('there is no url, neither here nor in the connection')
  try {
    const url = new URL(text)
    if ((url.protocol === 'ldap:' || url.protocol === 'ldaps:') && url.hostname) return url
  } catch {
    // Said below.
  }
  throw new InvalidTarget('the url must start with ldap:// or ldaps://')
}
