import { BlockList, isIP } from 'node:net'
import { StartupError } from '../errors.ts'

/** Which addresses outgoing requests may reach. Decided on the address that is connected to, never on a name. */
export interface NetworkPolicy {
  allows(address: string): boolean
}

/** Thrown instead of connecting; the words name what was refused and nothing else. */
export class NotAllowedError extends Error {
  override name = 'NotAllowedError'
  readonly code = 'ENETPOLICY'
  constructor(target: string) {
    super(`Connecting to ${target} is not allowed by the network policy`)
  }
}

/** Builds the policy from lists of networks (`10.0.0.0/8`, `fe80::/10`, single addresses). The allow list wins. */
export function networkPolicy(lists: { allow: readonly string[]; deny: readonly string[] }): NetworkPolicy {
  const allowed = blockList(lists.allow, 'QUARTERDECK_NETWORK_ALLOW')
  const denied = blockList(lists.deny, 'QUARTERDECK_NETWORK_DENY')
  return {
    allows(address) {
      const plain = embeddedIpv4(address) ?? address
      const family = isIP(plain)
      if (family === 0) return false
      const kind = family === 4 ? 'ipv4' : 'ipv6'
      return allowed.check(plain, kind) || !denied.check(plain, kind)
    },
  }
}

function blockList(networks: readonly string[], setting: string): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address)
    const widest = family === 4 ? 32 : 128
    const bits = prefix === undefined ? widest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN
    if (family === 0 || !(bits >= 0 && bits <= widest)) {
      throw new StartupError(
        `Setting ${setting} is wrong: "${network}" is not a network such as 10.0.0.0/8 or fe80::/10.`,
      )
    }
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

/**
 * IPv6 addresses that mean an IPv4 one: mapped (::ffff:a.b.c.d), translated (64:ff9b::/96) and 6to4 (2002::/16).
 * Without this a denied IPv4 network could be reached by its other spelling.
 */
export function embeddedIpv4(address: string): string | undefined {
  const words = ipv6Words(address)
  if (!words) return undefined
  const tail = () => dotted(words[6]!, words[7]!)
  if (words.slice(0, 5).every((word) => word === 0) && (words[5] === 0xffff || words[5] === 0)) {
    // :: and ::1 are addresses of their own, not embedded ones.
    if (words[5] === 0 && words[6] === 0 && words[7]! <= 1) return undefined
    return tail()
  }
  if (words[0] === 0x64 && words[1] === 0xff9b && words.slice(2, 6).every((word) => word === 0)) return tail()
  if (words[0] === 0x2002) return dotted(words[1]!, words[2]!)
  return undefined
}

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')

/** The eight 16-bit words of an IPv6 address; a zone (`%eth0`) is left out. */
function ipv6Words(text: string): number[] | undefined {
  if (isIP(text) !== 6) return undefined
  let plain = text.split('%')[0]!
  const v4 = /(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(plain)
  if (v4) {
    const [a, b, c, d] = v4.slice(1).map(Number) as [number, number, number, number]
    plain = `${plain.slice(0, v4.index)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
  }
  const [head = '', rest] = plain.split('::')
  const before = head ? head.split(':') : []
  const after = rest ? rest.split(':') : []
  const missing = rest === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(missing).fill('0'), ...after].map((word) => Number.parseInt(word, 16))
}
