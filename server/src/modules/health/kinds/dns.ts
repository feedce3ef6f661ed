import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { DnsCheck } from '@quarterdeck/contract/checks/dns'
import { dialerOf } from '../../../platform/network/dialer.ts'
import type { CheckKind } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { timed, tooSlow } from './support.ts'

/** Names in answers end with a dot, as resolvers write them. */
const dotted = (name: string) => (name.endsWith('.') ? name : `${name}.`)

const questions: Record<string, (resolver: Resolver, name: string) => Promise<string[]>> = {
  A: async (resolver, name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [v4, v6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason
    return found
  },
  AAAA: (resolver, name) => resolver.resolve6(name),
  CNAME: async (resolver, name) => (await resolver.resolveCname(name)).map(dotted),
  MX: async (resolver, name) =>
    (await resolver.resolveMx(name)).map((each) => `${dotted(each.exchange)} ${each.priority}`),
  NS: async (resolver, name) => (await resolver.resolveNs(name)).map(dotted),
  PTR: async (resolver, name) => (await (isIP(name) ? resolver.reverse(name) : resolver.resolvePtr(name))).map(dotted),
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
  SRV: async (resolver, name) =>
    (await resolver.resolveSrv(name)).map(
      (each) => `${dotted(each.name)} ${each.port} ${each.priority} ${each.weight}`,
    ),
  SOA: async (resolver, name) => {
    const soa = await resolver.resolveSoa(name)
    return [`${dotted(soa.nsname)} ${dotted(soa.hostmaster)} ${soa.serial}`]
  },
  CAA: async (resolver, name) =>
    (await resolver.resolveCaa(name)).map(
      (each) => `${each.critical} ${each.issue ?? each.issuewild ?? each.iodef ?? ''}`,
    ),
}

export const dns: CheckKind<DnsCheck> = {
  key: 'dns',
  schema: DnsCheck,
  templatable: false,
  endpoint: (spec) => `${spec.querytype}/${spec.query ?? ''}@${spec.server ?? ''}:${spec.port}`,
  timeoutMs: (spec) => spec.timeout * 1000 + 1000,
  async run({ ctx, signal }, spec) {
    const ask = questions[spec.querytype.toUpperCase()]
    if (!ask)
      throw new InvalidCheck(
        `querytype "${spec.querytype}" is not known; use one of ${Object.keys(questions).join(', ')}`,
      )
    if (!spec.query) throw new InvalidCheck('query is empty')
    const resolver = new Resolver({ timeout: Math.max(1, spec.timeout) * 1000, tries: 1 })
    signal.addEventListener('abort', () => resolver.cancel(), { once: true })
    if (spec.server) resolver.setServers([await serverAddress(ctx, spec.server, spec.port)])
    const { value, ms } = await timed(() => ask(resolver, spec.query!).catch((error: NodeJS.ErrnoException) => error))
    const duration = Math.max(1, ms)
    if (value instanceof Error) {
      // No answer of this kind is an answer: zero records.
      if (value.code !== 'ENODATA' && value.code !== 'ENOTFOUND')
        return { pass: false, duration, errors: [words(value, spec)] }
    }
    const answers = value instanceof Error ? [] : value
    const errors = [...judge(answers, spec), ...tooSlow(duration, spec.thresholdMillis)]
    return { pass: errors.length === 0, duration, errors, message: answers.join(', ') }
  },
}

/** c-ares takes addresses only; a name is resolved first, through the policy. */
async function serverAddress(ctx: Parameters<typeof dialerOf>[0], server: string, port: number): Promise<string> {
  const dialer = dialerOf(ctx)
  dialer.check(server)
  const address = isIP(server)
    ? server
    : await new Promise<string>((resolve, reject) =>
        dialer.lookup(server, { all: false }, (error, found) => (error ? reject(error) : resolve(String(found)))),
      )
  return isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
}

function judge(answers: readonly string[], spec: DnsCheck): string[] {
  const errors: string[] = []
  const fewest = spec.minrecords ?? (spec.exactreply?.length ? 0 : 1)
  if (answers.length < fewest) errors.push(`${answers.length} records, fewer than ${fewest}`)
  if (spec.exactreply?.length) {
    const [wanted, got] = [spec.exactreply.toSorted().join(', '), answers.toSorted().join(', ')]
    if (wanted !== got) errors.push(`the answer is ${got || 'empty'}, expected ${wanted}`)
  }
  return errors
}

function words(error: NodeJS.ErrnoException, spec: DnsCheck): string {
  if (error.code === 'ETIMEOUT' || error.code === 'ECANCELLED') return `no answer within ${spec.timeout} s`
  return `${spec.query}: ${error.code ?? error.message}`
}
