import { pingRedis } from '../../../platform/clients/redis.ts'
import type { Probe } from './probe.ts'

export const redis: Probe = async (run, target) => {
  const answer = await pingRedis(run, target)
  if (answer !== 'PONG') throw new Error(`PING was answered with "${answer}"`)
}
