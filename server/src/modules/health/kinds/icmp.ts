import { isIP } from 'node:net'
import { IcmpCheck } from '@quarterdeck/contract/checks/icmp'
import { dialerOf } from '../../../platform/network/dialer.ts'
import type { CheckKind } from '../kind.ts'
import { InvalidCheck } from '../run/run-check.ts'
import { runProgram } from '../../../platform/clients/program.ts'
import { tooSlow } from './support.ts'

const totalMs = 10_000

export const icmp: CheckKind<IcmpCheck> = {
  key: 'icmp',
  schema: IcmpCheck,
  templatable: false,
  concurrency: 20,
  endpoint: (spec) => spec.endpoint,
  timeoutMs: () => totalMs + 2000,
  async run({ ctx, signal }, spec) {
    const address = await resolve(ctx, spec.endpoint)
    const output = await ping(address, spec.packetCount, signal)
    const { sent, received, averageMs } = readSummary(output)
    if (received === 0)
      return { pass: false, errors: [`no answer from ${address}: ${sent} packets sent, none came back`] }
    const loss = (100 * (sent - received)) / Math.max(1, sent)
    // Answers from the same host take microseconds; the wire counts whole milliseconds.
    const duration = Math.max(1, averageMs)
    const errors = tooSlow(duration, spec.thresholdMillis)
    if (
      spec.packetLossThreshold !== undefined && spec.packetLossThreshold > 0
        ? loss > spec.packetLossThreshold
        : loss === 100
    ) {
      errors.push(`${loss.toFixed(0)} % of the packets were lost, more than ${spec.packetLossThreshold} %`)
    }
    return {
      pass: errors.length === 0,
      duration,
      errors,
      message: `${received} of ${sent} packets, ${averageMs.toFixed(2)} ms on average`,
    }
  },
}

async function resolve(ctx: Parameters<typeof dialerOf>[0], host: string): Promise<string> {
  const dialer = dialerOf(ctx)
  dialer.check(host)
  if (isIP(host)) return host
  // A name that begins with a dash would be read as an option.
  if (host.startsWith('-')) throw new InvalidCheck(`"${host}" is not a host`)
  return new Promise((done, fail) =>
    dialer.lookup(host, { all: false }, (error, found) => (error ? fail(error) : done(String(found)))),
  )
}

async function ping(address: string, count: number, signal: AbortSignal): Promise<string> {
  const interval = process.getuid?.() === 0 ? '0.2' : '0.3'
  const args = ['-n', '-q', '-c', String(count), '-i', interval, '-w', String(totalMs / 1000), address]
  const done = await runProgram('ping', args, { env: { LC_ALL: 'C' }, signal })
  if (!done.stdout.includes('packets transmitted')) throw new Error(done.stderr.trim() || 'ping gave no summary')
  return done.stdout
}

/** `5 packets transmitted, 4 received, 20% packet loss` and `rtt min/avg/max/mdev = 0.030/0.045/…` */
export function readSummary(output: string): { sent: number; received: number; averageMs: number } {
  const counts = /(\d+) packets transmitted, (\d+) (?:packets )?received/.exec(output)
  const times = /= [\d.]+\/([\d.]+)\//.exec(output)
  return { sent: Number(counts?.[1] ?? 0), received: Number(counts?.[2] ?? 0), averageMs: Number(times?.[1] ?? 0) }
}
