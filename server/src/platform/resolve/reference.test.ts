import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { type EnvVar, readReference, referenceOf, showReference } from './reference.ts'
import { readSecretFile, readStoredSecret } from './secret-files.ts'
import { urlTemplateOf } from './url-templates.ts'

describe('references', () => {
  test.each<[string, unknown]>([
    ['secret://db/password', { from: 'secret', name: 'db', key: 'password' }],
    ['configmap://app/url', { from: 'configmap', name: 'app', key: 'url' }],
    ['helm://redis/auth.password', { from: 'helm', name: 'redis', key: 'auth.password' }],
    ['serviceaccount://robot', { from: 'serviceaccount', name: 'robot' }],
    ['env://QUARTERDECK_SECRET_X', { from: 'env', name: 'QUARTERDECK_SECRET_X' }],
    ['file:///run/secrets/x', { from: 'file', path: '/run/secrets/x' }],
  ])('%s', (text, expected) => {
    expect(readReference(text)).toEqual(expected)
    expect(showReference(readReference(text)!)).toBe(text)
  })
  test.each([
    'secret://db',
    'secret://db/a/b',
    'secret:///key',
    'secret://db/',
    'serviceaccount://a/b',
    'serviceaccount://',
    'env://a-b',
    'file://relative',
    'https://x',
    'plain',
    '',
  ])('"%s" is a literal', (text) => expect(readReference(text)).toBeUndefined())
  test('the object form says the same', () => {
    const from = (valueFrom: Exclude<EnvVar, string>['valueFrom']) => showReference(referenceOf({ valueFrom })!)
    expect(from({ secretKeyRef: { name: 'a', key: 'b' } })).toBe('secret://a/b')
    expect(from({ configMapKeyRef: { name: 'a', key: 'b' } })).toBe('configmap://a/b')
    expect(from({ helmRef: { name: 'a', key: 'b' } })).toBe('helm://a/b')
    expect(from({ serviceAccount: 'a' })).toBe('serviceaccount://a')
    expect(referenceOf({ value: 'plain' })).toBeUndefined()
    expect(referenceOf({})).toBeUndefined()
  })
  test('any text is either', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('', 'secret://', 'file://', 'env://', 'helm://'), (text, scheme) => {
        const read = readReference(scheme + text)
        if (read) expect(showReference(read)).toBe(scheme + text)
      }),
    )
  })
})

describe('files', () => {
  const root = mkdtempSync(join(tmpdir(), 'qd-secrets-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const folder = join(root, 'allowed')
  mkdirSync(join(folder, 'prod', 'db'), { recursive: true })
  mkdirSync(join(folder, 'cache'), { recursive: true })
  writeFileSync(join(folder, 'token'), 'abc\n')
  writeFileSync(join(folder, 'prod', 'db', 'password'), 'hunter2')
  writeFileSync(join(folder, 'cache', 'url'), 'redis')
  writeFileSync(join(root, 'outside'), 'secret')
  symlinkSync(join(root, 'outside'), join(folder, 'link'))

  test('are read inside the allowed folders only', async () => {
    expect(await readSecretFile(join(folder, 'token'), [folder])).toBe('abc')
    await expect(readSecretFile(join(root, 'outside'), [folder])).rejects.toThrow('none of the folders')
    await expect(readSecretFile(`${folder}/../outside`, [folder])).rejects.toThrow('none of the folders')
    await expect(readSecretFile(join(folder, 'link'), [folder])).rejects.toThrow('leads out of')
    await expect(readSecretFile(join(folder, 'nope'), [folder])).rejects.toThrow('does not exist')
    await expect(readSecretFile(`${folder}-evil/token`, [folder])).rejects.toThrow('none of the folders')
  })
  test('stand in for a cluster: namespace, name, key', async () => {
    expect(await readStoredSecret('db', 'password', 'prod', [folder])).toBe('hunter2')
    expect(await readStoredSecret('cache', 'url', 'prod', [folder])).toBe('redis')
    expect(await readStoredSecret('db', 'password', 'dev', [folder])).toBeUndefined()
    expect(await readStoredSecret('..', 'outside', '.', [folder])).toBeUndefined()
  })
})

test('addresses from parts', () => {
  const url = (type: string, properties: Record<string, string>, insecure = false) =>
    urlTemplateOf(type, { insecure, properties })
  expect(url('postgres', { host: 'h', database: 'd' })).toBe(
    'postgres://$(username):$(password)@$(properties.host)/$(properties.database)',
  )
  expect(url('mysql', { host: 'h' }, true)).toMatch(/\?sslMode=disabled$/)
  expect(url('postgres', {})).toBeUndefined()
  expect(url('http', { host: 'h' })).toBeUndefined()
})
