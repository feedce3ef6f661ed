import { StartupError } from '../errors.ts'
import {
  type Bytes,
  embeddedIpv4 as embeddedBytes,
  inRange,
  type Range,
  readAddress,
  readRange,
  showAddress,
} from './address.ts'

export { NotAllowedError } from './network-error.ts'

/** Which addresses outgoing requests may reach. Decided on the address that is connected to, never on a name. */
export interface NetworkPolicy {
  allows(address: string): boolean
}

/** Words that stand for networks in the settings. */
export const namedRanges: Record<string, readonly string[]> = {
  all: ['0.0.0.0/0', '::/0'],
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'],
  'link-local': ['169.254.0.0/16', 'fe80::/10'],
  metadata: [
    '169.254.0.0/16',
    '100.100.100.200/32',
    '168.63.129.16/32',
    '192.0.0.192/32',
    'fd00:ec2::254/128',
    'fd20:ce::254/128',
  ],
}

/** Denied whatever the settings say, unless the allow list names it: addresses that are nobody's, and those of clouds. */
const alwaysDenied = ['0.0.0.0/8', '::/128', '224.0.0.0/4', '255.255.255.255/32', 'ff00::/8', ...namedRanges.metadata!]

function ranges(list: readonly string[], setting: string): Range[] {
  return list
    .flatMap((entry) => namedRanges[entry.toLowerCase()] ?? [entry])
    .map((entry) => {
      const range = readRange(entry)
      if (range) return range
      const words = Object.keys(namedRanges).join(', ')
      throw new StartupError(
        `Setting ${setting} is wrong: "${entry}" is not a network such as 10.0.0.0/8 or fe80::/10, nor one of ${words}.`,
      )
    })
}

/** Builds the policy from lists of networks (`10.0.0.0/8`, `fe80::/10`, single addresses, `metadata`). The allow list wins. */
export function networkPolicy(lists: { allow: readonly string[]; deny: readonly string[] }): NetworkPolicy {
  const allowed = ranges(lists.allow, 'QUARTERDECK_NETWORK_ALLOW')
  const denied = [
    ...ranges(lists.deny, 'QUARTERDECK_NETWORK_DENY'),
    ...ranges(alwaysDenied, 'QUARTERDECK_NETWORK_DENY'),
  ]
  const listed = (list: Range[], address: Bytes) => list.some((range) => inRange(address, range))
  return {
    allows(address) {
      const bytes = readAddress(address)
      // What cannot be read cannot be judged.
      if (!bytes) return false
      if (listed(allowed, bytes)) return true
      return [bytes, ...embeddedBytes(bytes)].every((meant) => listed(allowed, meant) || !listed(denied, meant))
    },
  }
}

/** The IPv4 address an IPv6 address stands for, if it does. */
export function embeddedIpv4(address: string): string | undefined {
  const [first] = embeddedBytes(readAddress(address) ?? [])
  return first && showAddress(first)
}
