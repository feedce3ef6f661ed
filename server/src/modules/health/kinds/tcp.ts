import { TcpCheck } from '@quarterdeck/contract/checks/tcp'
import { dialerOf } from '../../../platform/network/dialer.ts'
import type { CheckKind } from '../kind.ts'
import { hostAndPort, timed, tooSlow } from './support.ts'

export const tcp: CheckKind<TcpCheck> = {
  key: 'tcp',
  schema: TcpCheck,
  templatable: false,
  endpoint: (spec) => spec.endpoint,
  timeoutMs: (spec) => (spec.thresholdMillis ? spec.thresholdMillis + 1000 : 30_000),
  async run({ ctx, signal, timeout }, spec) {
    const { host, port } = hostAndPort(spec.endpoint)
    const { value: socket, ms } = await timed(() =>
      dialerOf(ctx).connectTcp(host, port, { signal, timeoutMs: timeout }),
    )
    socket.destroy()
    const errors = tooSlow(ms, spec.thresholdMillis)
    return { pass: errors.length === 0, duration: ms, errors }
  },
}
