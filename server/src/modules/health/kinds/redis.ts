import { RedisCheck } from '@quarterdeck/contract/checks/redis'
import { pingRedis } from '../../../platform/clients/redis.ts'
import type { CheckKind } from '../kind.ts'
import { targetOf } from './credentials.ts'

export const redis: CheckKind<RedisCheck> = {
  key: 'redis',
  schema: RedisCheck,
  templatable: false,
  endpoint: (spec) => spec.url ?? spec.addr ?? spec.connection ?? '',
  timeoutMs: () => 10_000,
  async run(run, spec) {
    const target = await targetOf(run, { ...spec, url: spec.url ?? spec.addr })
    const answer = await pingRedis(run, target, spec.db)
    return answer === 'PONG' ? { pass: true } : { pass: false, errors: [`PING was answered with "${answer}"`] }
  },
}
