import { isIP } from 'node:net'

/** An address as its bytes: 4 or 16 of them. */
export type Bytes = readonly number[]

/** Reads an IPv4 or IPv6 address as the platform prints it; undefined for anything else. */
export function readAddress(text: string): Bytes | undefined {
  const plain = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  switch (isIP(plain)) {
    case 4:
      return plain.split('.').map(Number)
    case 6:
      return readIpv6(plain)
    default:
      return undefined
  }
}

function readIpv6(text: string): Bytes {
  const [head, tail] = text.split('::') as [string, string?]
  const groups = (part: string | undefined): number[] =>
    (part ? part.split(':') : []).flatMap((group) => {
      if (group.includes('.')) {
        const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number]
        return [(a << 8) | b, (c << 8) | d]
      }
      return [Number.parseInt(group, 16)]
    })
  const [left, right] = [groups(head), groups(tail)]
  const middle = tail === undefined ? [] : new Array<number>(8 - left.length - right.length).fill(0)
  return [...left, ...middle, ...right].flatMap((group) => [group >> 8, group & 0xff])
}

export interface Range {
  bytes: Bytes
  bits: number
}

/** `10.0.0.0/8`, `fe80::/10` or one address. */
export function readRange(text: string): Range | undefined {
  const [address, prefix, ...more] = text.trim().split('/')
  const bytes = readAddress(address!)
  if (!bytes || more.length > 0) return undefined
  if (prefix === undefined) return { bytes, bits: bytes.length * 8 }
  const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
  return bits <= bytes.length * 8 ? { bytes, bits } : undefined
}

export function inRange(address: Bytes, { bytes, bits }: Range): boolean {
  if (address.length !== bytes.length) return false
  const whole = bits >> 3
  for (let i = 0; i < whole; i++) if (address[i] !== bytes[i]) return false
  const rest = bits & 7
  if (rest === 0) return true
  const mask = (0xff << (8 - rest)) & 0xff
  return (address[whole]! & mask) === (bytes[whole]! & mask)
}

const startsWith = (address: Bytes, ...bytes: number[]) => bytes.every((byte, index) => address[index] === byte)

/**
 * The IPv4 addresses an IPv6 address stands for: mapped, compatible, NAT64, 6to4 and Teredo. Whoever may not reach one
 * of them may not reach the other.
 */
export function embeddedIpv4(address: Bytes): Bytes[] {
  if (address.length !== 16) return []
  const zeros = (count: number) => address.slice(0, count).every((byte) => byte === 0)
  const last = address.slice(12)
  if (zeros(10) && address[10] === 0xff && address[11] === 0xff) return [last]
  // ::1 and :: are themselves; everything else below ::/96 is an old spelling of an IPv4 address.
  if (zeros(12)) return zeros(15) && address[15]! <= 1 ? [] : [last]
  if (zeros(8) && startsWith(address.slice(8), 0xff, 0xff, 0, 0)) return [last]
  if (startsWith(address, 0, 0x64, 0xff, 0x9b)) {
    // The well-known prefix, or the local one of RFC 8215 with the address behind 48, 56, 64 or 96 bits.
    return [last, [6, 7, 9, 10], [7, 9, 10, 11], [9, 10, 11, 12]].map((places, index) =>
      index === 0 ? last : (places as number[]).map((place) => address[place]!),
    )
  }
  if (startsWith(address, 0x20, 0x02)) return [address.slice(2, 6)]
  if (startsWith(address, 0x20, 0x01, 0, 0)) return [address.slice(4, 8), last.map((byte) => byte ^ 0xff)]
  return []
}

export const showAddress = (address: Bytes): string =>
  address.length === 4
    ? address.join('.')
    : Array.from({ length: 8 }, (_, index) => ((address[index * 2]! << 8) | address[index * 2 + 1]!).toString(16)).join(
        ':',
      )
