import { hashRaw } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { makeToken, parseToken, tokenValue } from './tokens.ts'

test('a token has five fields, and its stored value is the argon2id key of the secret with the salt', async () => {
  const { text, value } = await makeToken()
  const [secret, salt, ...rest] = text.split('.') as [string, string, ...string[]]
  expect(rest).toEqual(['1', '65536', '4'])
  expect(Buffer.from(salt, 'base64url')).toHaveLength(12)
  const options = {
    salt: Buffer.from(salt, 'base64url'),
    timeCost: 1,
    memoryCost: 65_536,
    parallelism: 4,
    outputLen: 20,
  }
  expect(value).toBe((await hashRaw(secret, options)).toString('base64url'))
  expect(value).toBe(await tokenValue(parseToken(text)!))
  expect(text).not.toContain(value)
})

test.each([
  '',
  'x',
  'a.b.c.d.e',
  'secret.AAAAAAAAAAAAAAAA.1.65536',
  'secret.AAAAAAAAAAAAAAAA.1.65536.4.5',
  'secret.AAAAAAAAAAAAAAAA.9.65536.4',
  'secret.AAAAAAAAAAAAAAAA.1.999999.4',
  'secret.AAAAAAAAAAAAAAAA.1.65536.0',
  'secret.AAAAAAAAAAAAAAAA.0.65536.4',
  'secret.AAAAAAAAAAAAAAAA.1.8.4',
  'secret.short.1.65536.4',
  `${'s'.repeat(600)}.AAAAAAAAAAAAAAAA.1.65536.4`,
  "' or 1=1--.AAAAAAAAAAAAAAAA.1.65536.4",
])('%j is no token', (text) => expect(parseToken(text)).toBeUndefined())
