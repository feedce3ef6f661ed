import { dialerOf } from '../network/dialer.ts'
import { type ClientRun, InvalidTarget, type Target } from './run.ts'
import { driver, onAbort } from './support.ts'

/** Connects, signs in, and pings the primary. */
export async function pingMongo(run: ClientRun, target: Target): Promise<void> {
  const url = target.url ?? ''
  if (!/^mongodb(\+srv)?:\/\//.test(url)) throw new InvalidTarget('the url must start with mongodb://')
  const dialer = dialerOf(run.ctx)
  for (const host of hostsOf(url)) dialer.check(host)
  const { MongoClient } = await driver('mongodb', () => import('mongodb'))
  const client = new MongoClient(url, {
    connectTimeoutMS: 3000,
    socketTimeoutMS: 3000,
    serverSelectionTimeoutMS: 4500,
    maxPoolSize: 1,
    // Names are resolved through the network policy.
    lookup: dialer.lookup,
    ...(target.insecureTls && /[?&](tls|ssl)=true/.test(url) ? { tlsInsecure: true } : {}),
    ...(target.username ? { auth: { username: target.username, password: target.password } } : {}),
  } as object)
  client.on('error', () => undefined)
  const forget = onAbort(run.signal, () => void client.close(true).catch(() => undefined))
  try {
    await client.connect()
    await client.db('admin').command({ ping: 1 }, { readPreference: 'primary' })
  } finally {
    forget()
    await client.close(true).catch(() => undefined)
  }
}

export const hostsOf = (url: string): string[] =>
  (/^mongodb(?:\+srv)?:\/\/(?:[^@/]*@)?([^/?]+)/.exec(url)?.[1] ?? '')
    .split(',')
    .map((host) => host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'))
