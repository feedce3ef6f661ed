import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServers } from '../../../testing/servers.ts'
import { exec } from './exec.ts'
import { folder } from './folder.ts'
import { gitProtocol } from './git-protocol.ts'
import { restic } from './restic.ts'
import { s3 } from './s3.ts'
import { runOne, testContext } from './testing.ts'

const servers = testServers()
const check = (kind: unknown, raw: object, options = {}) => runOne(kind as never, raw, options)
const names = (result: { detail: unknown }) =>
  (result.detail as { files: { name: string }[] }).files.map(({ name }) => name).toSorted()

describe('SFTP (OpenSSH)', () => {
  const { host, port, username, keyFile, path } = servers.sftp!
  const row = {
    id: '0',
    name: 'box',
    namespace: 'default',
    type: 'sftp',
    url: host,
    username,
    password: '',
    certificate: readFileSync(keyFile!, 'utf8'),
    properties: { port: String(port) },
    insecure_tls: false,
  }
  const db = { maybeOne: async () => row, query: async () => [], run: async () => 0 }
  const ctx = testContext({}, { db: db as never, secrets: { isEncrypted: () => false } as never })
  const raw = { path, sftpConnection: { connection: 'connection://default/box' } }
  test('lists, walks and knows the free space', async () => {
    const flat = await check(folder, { ...raw, minCount: 1, maxCount: 1, availableSize: '1' }, { ctx })
    expect(flat).toMatchObject({
      pass: true,
      error: null,
      detail: { size: 3, newest: { name: 'a.txt', size: 3, mode: '-rw-r--r--' } },
    })
    expect(names(await check(folder, { ...raw, recursive: true }, { ctx }))).toEqual(['a.txt', 'inner/b.txt'])
  })
  test('a folder that is not there, a login that is refused', async () => {
    expect((await check(folder, { ...raw, path: '/no/such/folder' }, { ctx })).error).toContain('No such file')
    const refused = await check(folder, { path, sftpConnection: { host, port, username, password: 'wrong-one' } })
    expect(refused.error).toContain('authentication methods failed')
  })
})

describe('SMB (Samba)', () => {
  const { host, port, share, username, password } = servers.samba!
  const smbConnection = { port, username, password }
  test('lists and walks', async () => {
    const flat = await check(folder, { path: `smb://${host}/${share}`, smbConnection, minCount: 1 })
    expect(flat).toMatchObject({ pass: true, error: null, detail: { size: 3, files: [{ name: 'a.txt', size: 3 }] } })
    expect(names(await check(folder, { path: `\\\\${host}\\${share}`, smbConnection, recursive: true }))).toEqual([
      'a.txt',
      'inner/b.txt',
    ])
    expect(names(await check(folder, { path: `smb://${host}/${share}/inner`, smbConnection }))).toEqual(['b.txt'])
  })
  test('a refused login and a share that is not there', async () => {
    const wrong = await check(folder, {
      path: `smb://${host}/${share}`,
      smbConnection: { ...smbConnection, password: 'wrong-one' },
    })
    expect(wrong).toMatchObject({ pass: false, error: expect.stringMatching(/LOGON_FAILURE|logon/i) })
    expect((await check(folder, { path: `smb://${host}/none`, smbConnection })).error).toMatch(
      /BAD_NETWORK_NAME|network name/i,
    )
  })
})

describe('S3 (s3rver)', () => {
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
  const access = { accessKey: 'S3RVER', secretKey: 'S3RVER', usePathStyle: true, endpoint: '' }
  beforeAll(async () => void (access.endpoint = `http://127.0.0.1:${(await server.run()).port}`))
  afterAll(() => server.close())
  test('writes, reads back and leaves nothing behind', async () => {
    expect(await check(s3, { ...access, bucketName: 'backups', objectPath: 'probe files' })).toMatchObject({
      pass: true,
      error: null,
    })
    expect(names(await check(folder, { path: 's3://backups', awsConnection: access, recursive: true }))).toEqual([])
  })
  test('a wrong key and a bucket that is not there', async () => {
    // This server looks at the key only; the signature itself is held against published examples in aws.test.ts.
    expect((await check(s3, { ...access, accessKey: 'NOBODY', bucket: 'backups' })).error).toContain(
      'InvalidAccessKeyId',
    )
    expect((await check(s3, { ...access, bucket: { name: 'none' } })).error).toContain('NoSuchBucket')
  })
  test('a bucket is a folder', async () => {
    const { s3Request } = await import('../../../platform/cloud/s3.ts')
    const bucket = { access: { ...access, region: 'us-east-1', properties: {} }, name: 'backups', pathStyle: true }
    const run = { ctx: testContext(), signal: AbortSignal.timeout(20_000) } as never
    for (const key of ['day 1/a+b.tar', 'day 1/c.tar', 'day 1/deep/d.tar', 'e.txt'])
      await s3Request(run, bucket, 'PUT', key, key)
    expect(names(await check(folder, { path: 's3://backups/day 1', awsConnection: access }))).toEqual([
      'a+b.tar',
      'c.tar',
    ])
    expect(
      names(await check(folder, { path: 's3://backups', awsConnection: { ...access, objectPath: '**/*.tar' } })),
    ).toEqual(['day 1/a+b.tar', 'day 1/c.tar', 'day 1/deep/d.tar'])
    expect(
      await check(folder, { path: 's3://backups/day 1', awsConnection: access, recursive: true, maxCount: 2 }),
    ).toMatchObject({ pass: false, error: '3 files, more than 2' })
  })
})

describe('git over HTTP (nginx, git http-backend)', () => {
  const { url, username, password } = servers.nginx!
  test('clones, commits and pushes; a refused login says so', async () => {
    const repository = `${url}/git/repo.git`
    expect(await check(gitProtocol, { repository, username, password: { value: password } })).toMatchObject({
      pass: true,
      error: null,
    })
    expect(await check(gitProtocol, { repository, username, password })).toMatchObject({ pass: true, error: null })
    const wrong = await check(gitProtocol, { repository, username, password: 'wrong-one' })
    expect(wrong.error).toMatch(/git clone failed: .*(Authentication failed|could not read)/s)
    expect(
      await check(exec, { script: 'cat test.txt', checkout: { url: repository, username, password } }),
    ).toMatchObject({ pass: true, detail: { stdout: expect.stringContaining('checked at') } })
  })
})

describe('restic', () => {
  const repository = mkdtempSync(join(tmpdir(), 'qd-restic-'))
  const env = {
    PATH: process.env.PATH!,
    HOME: repository,
    RESTIC_REPOSITORY: join(repository, 'r'),
    RESTIC_PASSWORD: 'hunter22',
  }
  beforeAll(() => {
    writeFileSync(join(repository, 'file'), 'x')
    execFileSync('restic', ['init', '-q'], { env })
    execFileSync('restic', ['backup', '-q', join(repository, 'file')], { env })
  })
  const raw = { repository: join(repository, 'r'), password: 'hunter22', maxAge: '1h' }
  test('a young snapshot in a sound repository', async () => {
    expect(await check(restic, { ...raw, checkIntegrity: true })).toMatchObject({
      pass: true,
      error: null,
      message: '1 snapshots',
    })
  })
  test('too old, wrong password, nothing there', async () => {
    expect((await check(restic, { ...raw, maxAge: '1ms' })).error).toContain('older than 1ms')
    const wrong = await check(restic, { ...raw, password: 'wrong-one' })
    expect(wrong.error).toContain('wrong password')
    expect((await check(restic, { ...raw, repository: '/no/such' })).error).toContain('restic snapshots failed')
  })
})
