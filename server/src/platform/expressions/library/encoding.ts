import { createHash } from 'node:crypto'
import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import type { Value } from '../values/values.ts'
import { bytes, text } from './args.ts'

export const base64Encode = (run: Run, value: Value): string => {
  const given = bytes(value)
  run.allowText(given.length * 2)
  return given.toString('base64')
}

/** Standard or address-safe alphabet, with or without padding. */
export function base64Decode(run: Run, value: Value): Buffer {
  const given = text(value).trim()
  run.spendText(given.length)
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(given)) throw new ValueError('the text is not base64')
  return Buffer.from(given.replaceAll('-', '+').replaceAll('_', '/'), 'base64')
}

/** Names in expressions → names of the platform. */
export const digests = {
  SHA1: 'sha1',
  SHA224: 'sha224',
  SHA256: 'sha256',
  SHA384: 'sha384',
  SHA512: 'sha512',
  SHA512_224: 'sha512-224',
  SHA512_256: 'sha512-256',
} as const
export type Digest = keyof typeof digests

export function digest(run: Run, name: Digest, value: Value): Buffer {
  const given = bytes(value)
  run.spendText(given.length)
  return createHash(digests[name]).update(given).digest()
}

/** Form encoding: a blank is a plus. */
export const urlEncode = (run: Run, value: Value): string => {
  const given = text(value)
  run.allowText(given.length * 3)
  return encodeURIComponent(given.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

export function urlDecode(run: Run, value: Value): string {
  const given = text(value)
  run.spendText(given.length)
  try {
    return decodeURIComponent(given.replaceAll('+', ' '))
  } catch {
    throw new ValueError('the text is not url-encoded')
  }
}
