import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { type Key, type Keys, openKeys, readKeys } from './key-file.ts'
import type { Secrets } from './secrets.ts'

/** `qd1.<key id>.<nonce, tag and text>`: the id tells which key, so old and new ones can live side by side. */
const form = /^qd1\.([0-9a-f]{8})\.([A-Za-z0-9_-]{38,})$/
export const encryptedLike = 'qd1.%'

/** Secrets under the keys of a file. The file is read again when it changed, so a rotation reaches running processes. */
export function fileSecrets(file: string): Secrets & { keys(): Keys } {
  let keys = openKeys(file)
  let stamp = stampOf(file)
  const current = () => {
    const now = stampOf(file)
    if (now !== undefined && now !== stamp) {
      keys = readKeys(file)
      stamp = now
    }
    return keys
  }
  return {
    keys: current,
    encrypt: (plain) => encryptWith(current()[0], plain),
    decrypt(stored) {
      const id = keyIdOf(stored)
      const key = keys.find((one) => one.id === id) ?? current().find((one) => one.id === id)
      if (!key) throw new Error(id ? `key ${id} is not in the key file` : 'the value is not encrypted')
      return decryptWith(key, stored)
    },
    isEncrypted: (value) => form.test(value),
  }
}

export const keyIdOf = (stored: string): string | undefined => form.exec(stored)?.[1]

export function encryptWith(key: Key, plain: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce)
  cipher.setAAD(Buffer.from(key.id))
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `qd1.${key.id}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`
}

export function decryptWith(key: Key, stored: string): string {
  const bytes = Buffer.from(form.exec(stored)?.[2] ?? '', 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, 12), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(key.id))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

function stampOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.mtimeMs} ${found.ino}`
}
