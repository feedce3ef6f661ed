import { describe, expect, test } from 'vitest'
import { columnsOf, valuesOf } from '@quarterdeck/contract/connections/form'
import { connectionKinds } from '@quarterdeck/contract/connections/index'
import type { Values } from '@quarterdeck/contract/connections/kind'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { isSecretText, sealRow } from './seal.ts'

const secrets = {
  isEncrypted: (text: string) => text.startsWith('sealed '),
  encrypt: (text: string) => `sealed ${text.length}`,
} as unknown as Secrets

describe('an address that holds a secret', () => {
  test.each([
    'postgres://app:hunter2@db/orders',
    'postgres://app:hun/ter2@db/orders',
    'postgres://app:hunter 2@db/orders',
    'postgres://app:h@unter@db/orders',
    'postgres://db/orders?user=app&password=hunter2',
    'https://ghp_abcdef@github.com/acme/shop.git',
    'https://oauth2:glpat@gitlab.com/acme/shop.git',
    'https://example.com/hook?token=abc',
    'https://example.com/hook?a=1&api_key=abc',
    'https://acct.blob.core.windows.net/c?sv=2024&sig=abc%3D',
    'https://hooks.slack.com/services/T0/B0/xyz',
    'https://discord.com/api/webhooks/1/xyz',
    'generic+https://user:pass@example.com/hook',
    'app:hunter2@tcp(db:3306)/orders',
    ':hunter2@redis:6379',
    'redis://:hunter2@redis:6379',
    'host=db user=app password=hunter2',
    'Server=db;User Id=sa;Password=hunter2;Encrypt=true',
  ])('%s', (url) => expect(isSecretText('url', url, 'http')).toBe(true))

  test.each([
    'postgres://$(username):$(password)@db/orders',
    'postgres://app:$(password)@db/orders',
    'postgres://app@db/orders',
    'https://example.com:8443/user/a@b.c',
    'https://example.com/a@b',
    'https://example.com/search?key=$(password)&keyword=x',
    'mongodb://db/?authSource=admin&replicaSet=key',
    'smtp://$(username):$(password)@smtp:25/?UseStartTLS=true&Encryption=Auto&Auth=Unknown',
    'sqlserver://$(username):$(password)@db:1433?database=token',
    'git@github.com:acme/shop.git',
    'ssh://git@github.com/acme/shop.git',
    'redis:6379',
    'host=db user=app password=$(password)',
    's3:https://s3.amazonaws.com/bucket',
  ])('not %s', (url) => expect(isSecretText('url', url, 'http')).toBe(false))
})

test('a text that only begins like a reference is a secret as any other', () => {
  for (const text of ['secret://a/b/c', 'secret://a', 'env://not a name', 'file://relative'])
    expect(isSecretText('password', text, 'http')).toBe(true)
  for (const text of [
    'secret://a/b',
    'configmap://a/b',
    'helm://r/a.b',
    'serviceaccount://x',
    'env://A_B',
    'file:///a/b',
  ])
    expect(isSecretText('password', text, 'http')).toBe(false)
})

test('properties with a telling name are secrets, those about one are not', () => {
  for (const key of ['password', 'authToken', 'client_secret', 'bearer', 'apiKey', 'privateKey', 'sasl.password'])
    expect(isSecretText(`properties.${key}`, 'x', 'http')).toBe(true)
  for (const key of ['tokenURL', 'secretName', 'client_id', 'scheme', 'tokenEndpoint', 'monkey'])
    expect(isSecretText(`properties.${key}`, 'x', 'http')).toBe(false)
})

describe('no column shows what a secret field was given', () => {
  test.each(connectionKinds.map((kind) => [kind.type, kind] as const))('%s', (type, kind) => {
    const values: Values = { ...valuesOf(kind) }
    const planted: string[] = []
    for (const field of kind.fields) {
      if (field.derived) values[field.key] = field.options!.at(-1)!.value
      else if (field.kind !== 'secret') values[field.key] ??= `${field.key}.example`
      else planted.push((values[field.key] = `planted ${field.key} secret`))
    }
    const row = sealRow(secrets, { ...columnsOf(kind, values) }, type)
    const text = JSON.stringify(row)
    for (const secret of planted) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(encodeURIComponent(secret))
    }
  })
})

test('an address made by hand, with the token in it, is one too', () => {
  const made = (type: string, url: string) => sealRow(secrets, { url, password: null }, type).url
  expect(made('pushbullet', 'pushbullet://o.token/device')).toMatch(/^sealed/)
  expect(made('opsgenie', 'opsgenie://api.opsgenie.com/key')).toMatch(/^sealed/)
  expect(made('pushbullet', 'pushbullet://$(password)/device')).toBe('pushbullet://$(password)/device')
  expect(made('ntfy', 'ntfy://ntfy.sh/topic')).toBe('ntfy://ntfy.sh/topic')
})
