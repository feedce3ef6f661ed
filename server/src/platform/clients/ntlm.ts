import { createHmac, randomBytes } from 'node:crypto'

/** NTLM messages (MS-NLMP), NTLMv2 only: every server that speaks NTLM since 1998 takes it, and v1 is broken. */

const signature = Buffer.from('NTLMSSP\0')
/** Unicode, request target, NTLM, always sign, extended session security, target info, 128, 56. */
const flags = 0x00000001 | 0x00000004 | 0x00000200 | 0x00008000 | 0x00080000 | 0x00800000 | 0x20000000 | 0x80000000

export function negotiateMessage(): Buffer {
  const message = Buffer.alloc(32)
  signature.copy(message)
  message.writeUInt32LE(1, 8)
  message.writeUInt32LE(flags >>> 0, 12)
  return message
}

export interface Challenge {
  nonce: Buffer
  targetInfo: Buffer
}

export function readChallenge(message: Buffer): Challenge {
  if (message.length < 32 || !message.subarray(0, 8).equals(signature) || message.readUInt32LE(8) !== 2)
    throw new Error('the NTLM challenge cannot be read')
  const length = message.length >= 48 ? message.readUInt16LE(40) : 0
  const offset = length > 0 ? message.readUInt32LE(44) : 0
  return { nonce: message.subarray(24, 32), targetInfo: message.subarray(offset, offset + length) }
}

/** The answer to a challenge; `DOMAIN\user` and `user@domain` are taken apart. */
export function authenticateMessage(
  { nonce, targetInfo }: Challenge,
  who: { username: string; password: string },
  { now = Date.now(), client = randomBytes(8) }: { now?: number; client?: Buffer } = {},
): Buffer {
  const { domain, user } = nameParts(who.username)
  const key = hmac(md4(utf16(who.password)), utf16(user.toUpperCase() + domain))
  const stamp = Buffer.alloc(8)
  stamp.writeBigUInt64LE((BigInt(now) + 11_644_473_600_000n) * 10_000n)
  const blob = Buffer.concat([
    Buffer.from([1, 1, 0, 0, 0, 0, 0, 0]),
    stamp,
    client,
    Buffer.alloc(4),
    targetInfo,
    Buffer.alloc(4),
  ])
  const ntResponse = Buffer.concat([hmac(key, Buffer.concat([nonce, blob])), blob])
  const lmResponse = Buffer.concat([hmac(key, Buffer.concat([nonce, client])), client])
  return assemble([lmResponse, ntResponse, utf16(domain), utf16(user), utf16('QUARTERDECK'), Buffer.alloc(0)])
}

function assemble(fields: Buffer[]): Buffer {
  const head = Buffer.alloc(64)
  signature.copy(head)
  head.writeUInt32LE(3, 8)
  let offset = head.length
  for (const [index, field] of fields.entries()) {
    const at = 12 + index * 8
    head.writeUInt16LE(field.length, at)
    head.writeUInt16LE(field.length, at + 2)
    head.writeUInt32LE(offset, at + 4)
    offset += field.length
  }
  head.writeUInt32LE(flags >>> 0, 60)
  return Buffer.concat([head, ...fields])
}

export function nameParts(username: string): { domain: string; user: string } {
  const slash = username.indexOf('\\')
  if (slash >= 0) return { domain: username.slice(0, slash), user: username.slice(slash + 1) }
  const at = username.lastIndexOf('@')
  return at >= 0 ? { domain: username.slice(at + 1), user: username.slice(0, at) } : { domain: '', user: username }
}

const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le')
const hmac = (key: Buffer, data: Buffer): Buffer => createHmac('md5', key).update(data).digest()
const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

const rounds = [
  {
    mix: (b: number, c: number, d: number) => (b & c) | (~b & d),
    add: 0,
    shifts: [3, 7, 11, 19],
    order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  },
  {
    mix: (b: number, c: number, d: number) => (b & c) | (b & d) | (c & d),
    add: 0x5a827999,
    shifts: [3, 5, 9, 13],
    order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
  },
  {
    mix: (b: number, c: number, d: number) => b ^ c ^ d,
    add: 0x6ed9eba1,
    shifts: [3, 9, 11, 15],
    order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
  },
] as const

/** RFC 1320; OpenSSL no longer offers it, and NTLM hashes passwords with it. */
export function md4(data: Buffer): Buffer {
  const padded = Buffer.alloc((((data.length + 8) >> 6) + 1) * 64)
  data.copy(padded)
  padded[data.length] = 0x80
  padded.writeUInt32LE((data.length * 8) >>> 0, padded.length - 8)
  let state = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476]
  for (let block = 0; block < padded.length; block += 64) {
    let [a, b, c, d] = state as [number, number, number, number]
    for (const { mix, add, shifts, order } of rounds) {
      for (const [step, word] of order.entries()) {
        const sum = (a + mix(b, c, d) + padded.readInt32LE(block + word * 4) + add) | 0
        ;[a, b, c, d] = [d, rotate(sum, shifts[step % 4]!), b, c]
      }
    }
    state = [state[0]! + a, state[1]! + b, state[2]! + c, state[3]! + d].map((value) => value | 0)
  }
  const digest = Buffer.alloc(16)
  for (const [index, value] of state.entries()) digest.writeInt32LE(value, index * 4)
  return digest
}
