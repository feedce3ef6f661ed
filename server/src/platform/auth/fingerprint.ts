import { createHmac, randomBytes } from 'node:crypto'

const key = randomBytes(32)

/** A name for a secret in memory: the same for the same parts within this process, and worth nothing outside it. */
export function fingerprint(...parts: (string | number)[]): string {
  const digest = createHmac('sha256', key)
  for (const part of parts) digest.update(`${String(part).length}:${part}`)
  return digest.digest('base64url')
}
