/** Encrypts values at rest (AES-256-GCM); the key lives in a file outside the database. */
export interface Secrets {
  encrypt(plain: string): string
  decrypt(stored: string): string
  isEncrypted(value: string): boolean
}
