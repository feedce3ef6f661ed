import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Values } from '@quarterdeck/contract/connections/kind'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { testServers } from '../../../testing/servers.ts'
import { tried } from './testing.ts'

/** Each type against a real server: it works, a wrong credential is refused, nobody is there. */

const servers = testServers()
const wrong = 'wrong-secret-2'
const nobody = /refused|ECONNREFUSED|Connection refused|no connection/i

interface Case {
  type: string
  good: () => Values
  refused: Values
  words: RegExp
  away: Values
}

const { nginx, mariadb, redis, ldap, sftp, samba } = servers
const database = () => {
  const url = new URL(inject('databaseUrl'))
  return { host: url.host, path: url.pathname, username: url.username, password: decodeURIComponent(url.password) }
}
const postgresUrl = () => `postgres://$(username):$(password)@${database().host}${database().path}`

const cases: Case[] = [
  {
    type: 'postgres',
    good: () => ({ url: postgresUrl(), username: database().username, password: database().password }),
    refused: { username: 'nobody', password: wrong },
    words: /password authentication failed|does not exist/,
    away: { url: 'postgres://$(username):$(password)@127.0.0.1:1/x' },
  },
  {
    type: 'mysql',
    good: () => ({
      url: `mysql://$(username):$(password)@127.0.0.1:${mariadb!.port}/shop`,
      username: mariadb!.username!,
      password: mariadb!.password!,
    }),
    refused: { password: wrong },
    words: /Access denied/,
    away: { url: 'mysql://$(username):$(password)@127.0.0.1:1/shop' },
  },
  {
    type: 'redis',
    good: () => ({ url: redis!.url!, password: redis!.password!, db: 3 }),
    refused: { password: wrong },
    words: /WRONGPASS/,
    away: { url: '127.0.0.1:1' },
  },
  {
    type: 'ldap',
    good: () => ({ url: ldap!.url!, username: ldap!.username!, password: ldap!.password! }),
    refused: { password: wrong },
    words: /bind failed: invalid credentials/,
    away: { url: 'ldap://127.0.0.1:1' },
  },
  {
    type: 'sftp',
    good: () => ({
      host: sftp!.host!,
      port: sftp!.port!,
      username: sftp!.username!,
      certificate: readFileSync(sftp!.keyFile!, 'utf8'),
      path: sftp!.path!,
    }),
    refused: { certificate: '', password: wrong },
    words: /authentication methods failed/,
    away: { port: 1 },
  },
  {
    type: 'smb',
    good: () => ({
      server: samba!.host!,
      port: samba!.port!,
      share: samba!.share!,
      username: samba!.username!,
      password: samba!.password!,
    }),
    refused: { password: wrong },
    words: /LOGON_FAILURE|logon/i,
    away: { port: 1 },
  },
  {
    type: 'http',
    good: () => ({ url: `${nginx!.url}/private`, username: nginx!.username!, password: nginx!.password! }),
    refused: { password: wrong },
    words: /answered 401/,
    away: { url: 'http://127.0.0.1:1/' },
  },
  {
    type: 'git',
    good: () => ({
      url: `${nginx!.url}/git/repo.git`,
      authentication: 'basic',
      username: nginx!.username!,
      password: nginx!.password!,
      ref: 'probe',
    }),
    refused: { password: wrong },
    words: /Authentication failed|could not read/,
    away: { url: 'http://127.0.0.1:1/repo.git' },
  },
]

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'qd-git-'))
  const remote = new URL(`${nginx!.url}/git/repo.git`)
  Object.assign(remote, { username: nginx!.username, password: nginx!.password })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.test', ...args], { cwd: folder, stdio: 'pipe' })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'one')
  git('push', '-q', remote.href, 'HEAD:refs/heads/probe')
})

describe.each(cases)('$type', ({ type, good, refused, words, away }) => {
  test('works', async () => expect(await tried(type, good())).toBe('ok'))
  test('a wrong credential is refused, and does not appear', async () => {
    const said = await tried(type, { ...good(), ...refused })
    expect(said).toMatch(words)
    expect(said).not.toContain(wrong)
  })
  test('nobody there', async () => {
    const said = await tried(type, { ...good(), ...away })
    expect(said).toMatch(/refused|ECONNREFUSED|Failed to connect|Couldn't connect/i)
  })
})

test('what is there, but not what was named', async () => {
  const git = cases.find(({ type }) => type === 'git')!.good()
  expect(await tried('git', { ...git, ref: 'no-such-branch' })).toBe(
    'the repository has no branch or tag no-such-branch',
  )
  const share = cases.find(({ type }) => type === 'smb')!.good()
  expect(await tried('smb', { ...share, share: 'none' })).toMatch(/BAD_NETWORK_NAME|network name/i)
  const box = cases.find(({ type }) => type === 'sftp')!.good()
  expect(await tried('sftp', { ...box, path: '/no/such' })).toContain('No such file')
})

test('http: a certificate nobody signed is refused unless that is wanted', async () => {
  expect(await tried('http', { url: nginx!.tlsUrl! })).toMatch(/unable to verify|self-signed|unknown authority/)
  expect(await tried('http', { url: nginx!.tlsUrl!, insecure_tls: true })).toBe('ok')
})

test('prometheus', async () => {
  const url = servers.prometheus!.url!
  expect(await tried('prometheus', { url })).toBe('ok')
  expect(await tried('prometheus', { url: nginx!.url! })).toMatch(/answered 404/)
  expect(await tried('prometheus', { url: 'http://127.0.0.1:1' })).toMatch(nobody)
})

describe('s3 (s3rver)', () => {
  const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => {
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: mkdtempSync(join(tmpdir(), 'qd-s3-')),
    configureBuckets: [{ name: 'backups' }],
  })
  let form: Values
  beforeAll(async () => {
    const url = `http://127.0.0.1:${(await server.run()).port}`
    form = { url, region: 'us-east-1', username: 'S3RVER', password: 'S3RVER', bucket: 'backups' }
  })
  afterAll(() => server.close())
  test('works, a wrong key, no such bucket, nobody there', async () => {
    expect(await tried('s3', form)).toBe('ok')
    expect(await tried('s3', { ...form, username: 'NOBODY' })).toMatch(/answered 403/)
    expect(await tried('s3', { ...form, bucket: 'none' })).toMatch(/answered 404: there is no such bucket/)
    expect(await tried('s3', { ...form, url: 'http://127.0.0.1:1' })).toMatch(nobody)
  })
})

test('restic', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'qd-restic-'))
  const url = join(folder, 'r')
  const env = { PATH: process.env.PATH!, HOME: folder, RESTIC_REPOSITORY: url, RESTIC_PASSWORD: 'right-secret-1' }
  execFileSync('restic', ['init', '-q'], { env })
  expect(await tried('restic', { url, password: 'right-secret-1' })).toBe('ok')
  const refused = await tried('restic', { url, password: wrong })
  expect(refused).toContain('wrong password')
  expect(refused).not.toContain(wrong)
  expect(await tried('restic', { url: '/no/such', password: 'x' })).toMatch(/does not exist|unable to open/i)
})
