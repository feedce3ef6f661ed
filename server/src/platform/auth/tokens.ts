import { randomBytes } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import { fingerprint } from './fingerprint.ts'
import { gated } from './hashing-gate.ts'

/** What agents and scripts carry: `secret.salt.time.memory.parallelism`. Only the hash is stored. */
export interface TokenText {
  secret: string
  salt: string
  time: number
  memory: number
  parallelism: number
}

const parameters = { time: 1, memory: 65_536, parallelism: 4 }
const keyLength = 20

export interface NewToken {
  /** Handed out once. */
  text: string
  /** Stored. */
  value: string
}

export async function makeToken(): Promise<NewToken> {
  const token = { secret: randomBytes(32).toString('hex'), salt: randomBytes(12).toString('base64url'), ...parameters }
  const text = [token.secret, token.salt, token.time, token.memory, token.parallelism].join('.')
  return { text, value: await tokenValue(token) }
}

/** The parts of a token's text; undefined when it is none, or asks for more work than we are ready to do. */
export function parseToken(text: string): TokenText | undefined {
  if (text.length > 512) return undefined
  const match = /^([^.\s]+)\.([\w-]{11,64}={0,2})\.(\d{1,2})\.(\d{1,6})\.(\d{1,2})$/.exec(text)
  if (!match) return undefined
  const [time, memory, parallelism] = match.slice(3).map(Number) as [number, number, number]
  if (time < 1 || time > 4 || parallelism < 1 || parallelism > 8) return undefined
  if (memory < 8 * parallelism || memory > 131_072) return undefined
  return { secret: match[1] as string, salt: match[2] as string, time, memory, parallelism }
}

const computed = new Map<string, string>()
const pairOf = ({ secret, salt, time, memory, parallelism }: TokenText) =>
  fingerprint(secret, salt, time, memory, parallelism)

/** Whether this process hashed it before. Says nothing about whether it is good. */
export const isKnownToken = (token: TokenText): boolean => computed.has(pairOf(token))

/** The stored form of a token. Remembered under a keyed digest, since agents send theirs with every request. */
export async function tokenValue(token: TokenText): Promise<string> {
  const { secret, salt, time, memory, parallelism } = token
  const pair = pairOf(token)
  const known = computed.get(pair)
  if (known) return known
  const raw = await gated(() =>
    hashRaw(secret, {
      salt: Buffer.from(salt, 'base64url'),
      timeCost: time,
      memoryCost: memory,
      parallelism,
      outputLen: keyLength,
    }),
  )
  const value = raw.toString('base64url')
  computed.set(pair, value)
  if (computed.size > 5000) computed.delete(computed.keys().next().value as string)
  return value
}
