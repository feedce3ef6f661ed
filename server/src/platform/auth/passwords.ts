import { randomInt } from 'node:crypto'
import { passwordLimits } from '@quarterdeck/contract/identity'
import { hash, verify } from '@node-rs/argon2'
import { fingerprint } from './fingerprint.ts'
import { gated } from './hashing-gate.ts'

// argon2id (the library's default) with the parameters OWASP names: 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const current = '$argon2id$v=19$m=19456,t=2,p=1$'

/** Nobody's password; verified when the account does not exist, so that both cases take the same time. */
const nobody = `${current}92CQ/xk8fu2kd+VlRKjHSg$znucyxsYW/V5wwjQiswZJzFtsFmR90hN5XP6ozsda6k`

/** The same text typed on different systems may arrive composed differently; hashing needs one form. */
const prepared = (password: string) => password.normalize('NFKC')

export const hashPassword = (password: string): Promise<string> => gated(() => hash(prepared(password), parameters))

/** Whether the password fits; takes as long when there is no hash to compare with. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const fits = await gated(() => verify(stored ?? nobody, prepared(password)).catch(() => false))
  return stored !== undefined && fits
}

/** Hashes made with older parameters are replaced at the next sign-in. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(current)

const proven = new Map<string, true>()

/** As verifyPassword, for credentials sent with every request: a pair that fitted once is not hashed again. */
export async function verifyRepeated(stored: string | undefined, password: string): Promise<boolean> {
  const pair = fingerprint(stored ?? '', prepared(password))
  if (stored !== undefined && proven.has(pair)) return true
  const fits = await verifyPassword(stored, password)
  if (fits) {
    proven.set(pair, true)
    if (proven.size > 5000) proven.delete(proven.keys().next().value as string)
  }
  return fits
}

const common = new Set(
  (
    'password password1 password12 password123 passw0rd p@ssw0rd p@ssword 12345678 123456789 1234567890 11111111 ' +
    '00000000 88888888 12341234 87654321 qwertyui qwertyuiop qwerty123 1q2w3e4r 1qaz2wsx asdfghjkl zxcvbnm1 abcd1234 ' +
    'abc12345 iloveyou sunshine princess football baseball superman trustno1 welcome1 welcome123 letmein1 admin123 ' +
    'administrator changeme changeme1 secret123 default1 computer internet whatever quarterdeck'
  ).split(' '),
)

export type PasswordFault = 'too-short' | 'too-long' | 'common' | 'like-name'

/** Why a new password is not good enough; undefined when it is. Length counts most, so there are no composition rules. */
export function passwordFault(password: string, email: string): PasswordFault | undefined {
  const length = [...password].length
  if (length < passwordLimits.min) return 'too-short'
  if (length > passwordLimits.max || password.length > 2 * passwordLimits.max) return 'too-long'
  const plain = password.toLowerCase()
  if (common.has(plain) || new Set(plain).size < 3) return 'common'
  const local = email.split('@')[0] ?? ''
  if (plain === email || plain === local || plain === `${local}${local}`) return 'like-name'
  return undefined
}

const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** A password to type once: about 117 bits, without characters that look alike, in groups. */
export function generatePassword(): string {
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('')
  return [group(), group(), group(), group()].join('-')
}
