import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileSecrets, keyIdOf } from './file-secrets.ts'
import { newKey, readKeys, writeKeys } from './key-file.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-keys-'))
  file = join(folder, 'encryption.key')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the key file is made once, for its owner only, and opens what it closed', () => {
  const stored = fileSecrets(file).encrypt('grüße 🔑')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(stored).not.toContain('grüße')
  const again = fileSecrets(file)
  expect(again.decrypt(stored)).toBe('grüße 🔑')
  expect(again.isEncrypted(stored)).toBe(true)
  expect(again.isEncrypted('qd1.hello')).toBe(false)
  expect(again.encrypt('')).not.toBe(again.encrypt(''))
  expect(again.decrypt(again.encrypt(''))).toBe('')
})

test('a changed value is refused', () => {
  const secrets = fileSecrets(file)
  const stored = secrets.encrypt('hello')
  const at = stored.length - 3
  const changed = stored.slice(0, at) + (stored[at] === 'A' ? 'B' : 'A') + stored.slice(at + 1)
  expect(() => secrets.decrypt(changed)).toThrow()
  expect(() => secrets.decrypt('plain')).toThrow('not encrypted')
})

test('a new key at the top of the file reaches a running process; old values stay readable', async () => {
  const secrets = fileSecrets(file)
  const old = secrets.encrypt('hello')
  const key = newKey()
  writeKeys(file, [key, ...readKeys(file)])
  const fresh = secrets.encrypt('hello')
  expect(keyIdOf(fresh)).toBe(key.id)
  expect(secrets.decrypt(old)).toBe('hello')
  expect(secrets.decrypt(fresh)).toBe('hello')
})

test('a value of a key that is not there is refused by the name of the key', () => {
  const stored = fileSecrets(file).encrypt('hello')
  rmSync(file)
  expect(() => fileSecrets(file).decrypt(stored)).toThrow(`key ${keyIdOf(stored)} is not in the key file`)
})

test('damaged and open key files are refused in one line', () => {
  writeFileSync(file, 'c2hvcnQ=\n', { mode: 0o600 })
  expect(() => fileSecrets(file)).toThrow(/is damaged: every line must be a base64 key of 32 bytes/)
  writeKeys(file, [newKey()])
  chmodSync(file, 0o644)
  expect(() => fileSecrets(file)).toThrow(`can be read by everybody: run chmod 600 ${file}`)
  expect(() => fileSecrets(join(folder, 'missing/encryption.key'))).toThrow(/cannot be written/)
  expect(existsSync(join(folder, 'missing'))).toBe(false)
  expect(readFileSync(file, 'utf8')).toContain('keep a copy')
})
