import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { fileSecrets, keyIdOf } from './file-secrets.ts'
import { newKey, readKeys, writeKeys } from './key-file.ts'
import { requireKeys, rotateKeys } from './rotation.ts'

const db = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-rotation-'))
const file = join(folder, 'encryption.key')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeEach(async () => {
  await db.run('delete from connections')
  writeKeys(file, [newKey()])
})

async function store(name: string, password: string, properties: object = {}): Promise<void> {
  await db.run('insert into connections (name, type, password, properties) values ($1, $2, $3, $4)', [
    name,
    'http',
    password,
    properties,
  ])
}
const rows = () =>
  db.query<{ name: string; password: string; properties: Record<string, string> }>(
    'select name, password, properties from connections order by name',
  )

test('rotation encrypts everything anew, in text and in JSON, and leaves plain values alone', async () => {
  const secrets = fileSecrets(file)
  await store('a', secrets.encrypt('one'), { token: secrets.encrypt('two'), region: 'eu' })
  await store('b', 'plain')
  const outcome = await rotateKeys(db, file)
  expect(outcome).toMatchObject({ rows: 2, retired: [] })
  const [a, b] = await rows()
  expect(keyIdOf(a!.password)).toBe(outcome.keyId)
  expect(keyIdOf(a!.properties.token!)).toBe(outcome.keyId)
  expect(a!.properties.region).toBe('eu')
  expect(b!.password).toBe('plain')
  // The process that had the file open before reads the new values too.
  expect(secrets.decrypt(a!.password)).toBe('one')
  expect(secrets.decrypt(a!.properties.token!)).toBe('two')
})

test('a second rotation drops the key before last', async () => {
  const first = readKeys(file)[0].id
  await store('a', fileSecrets(file).encrypt('one'))
  const one = await rotateKeys(db, file)
  const two = await rotateKeys(db, file)
  expect(two.retired).toEqual([first])
  expect(readKeys(file).map((key) => key.id)).toEqual([two.keyId, one.keyId])
  expect(fileSecrets(file).decrypt((await rows())[0]!.password)).toBe('one')
})

test('secrets of a key that is not there stop the start and the rotation in one line', async () => {
  await store('a', fileSecrets(file).encrypt('one'))
  const lost = readKeys(file)[0].id
  writeKeys(file, [newKey()])
  const words = `The database holds secrets encrypted with key ${lost}, which is not in ${file}`
  await expect(requireKeys(db, readKeys(file), file)).rejects.toThrow(words)
  await expect(rotateKeys(db, file)).rejects.toThrow(words)
  expect(readKeys(file)).toHaveLength(1)
})
