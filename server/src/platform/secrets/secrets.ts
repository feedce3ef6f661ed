/** Encrypts values at rest (AES-256-GCM); the key lives in a file outside the database. */
export interface Secrets {
  encrypt(plain: string): string
  /** Throws when the value was changed or its key is not in the key file. */
  decrypt(stored: string): string
  isEncrypted(value: string): boolean
}
