import { MongodbCheck } from '@quarterdeck/contract/checks/mongodb'
import { dialerOf } from '../../../platform/network/dialer.ts'
import type { CheckKind } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { fillIn, targetOf } from './credentials.ts'
import { driver, onAbort } from './support.ts'

export const mongodb: CheckKind<MongodbCheck> = {
  key: 'mongodb',
  schema: MongodbCheck,
  templatable: false,
  endpoint: (spec) => spec.url ?? spec.connection ?? '',
  timeoutMs: () => 5_000,
  async run(run, spec) {
    const target = await targetOf(run, spec)
    const url = await fillIn(run, target.url ?? '', { username: target.username, password: target.password })
    if (!/^mongodb(\+srv)?:\/\//.test(url)) throw new InvalidCheck('the url must start with mongodb://')
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
      return { pass: true }
    } finally {
      forget()
      await client.close(true).catch(() => undefined)
    }
  },
}

export const hostsOf = (url: string): string[] =>
  (/^mongodb(?:\+srv)?:\/\/(?:[^@/]*@)?([^/?]+)/.exec(url)?.[1] ?? '')
    .split(',')
    .map((host) => host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'))
