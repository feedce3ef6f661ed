import type { Context } from '../../context.ts'
import { AppError } from '../errors.ts'
import { authState } from './auth-state.ts'
import { addressKey, type LimitRule } from './rate-limit.ts'

const minute = 60_000

/** One address may guess at one account, at many accounts, and many addresses at one account: each has its bound. */
const signInRules = {
  pair: { name: 'pair', limit: 10, windowMs: 5 * minute },
  address: { name: 'address', limit: 60, windowMs: 5 * minute },
  account: { name: 'account', limit: 100, windowMs: 15 * minute },
} satisfies Record<string, LimitRule>

/** New flows are rows; nobody may make them without end. */
export const flowRule: LimitRule = { name: 'flow', limit: 600, windowMs: 10 * minute }
export const recoveryRules = {
  address: { name: 'recovery-address', limit: 10, windowMs: 15 * minute },
  account: { name: 'recovery-account', limit: 3, windowMs: 15 * minute },
} satisfies Record<string, LimitRule>

export const registrationRules = {
  address: { name: 'registration-address', limit: 10, windowMs: 15 * minute },
  account: { name: 'registration-account', limit: 3, windowMs: 15 * minute },
} satisfies Record<string, LimitRule>

/** 429; `retryAfter` (seconds) belongs into the Retry-After header. */
export class TooManyAttempts extends AppError {
  readonly retryAfter: number
  constructor(waitMs: number) {
    const seconds = Math.max(1, Math.ceil(waitMs / 1000))
    const words = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
    super(429, 'too_many_requests', `Too many attempts. Try again in ${words}.`)
    this.retryAfter = seconds
  }
}

/**
 * Counts against the bounds first, so that guesses made at once are bounded too. Call `succeeded` when it was no guess.
 * Without an account only the address counts.
 */
export function beginAttempt(ctx: Context, ip: string, account?: string): { succeeded(): void } {
  const { limits } = authState(ctx)
  const now = ctx.clock.now().getTime()
  const address = addressKey(ip)
  const bounds: [LimitRule, string][] = [[signInRules.address, address]]
  if (account !== undefined) bounds.push([signInRules.pair, `${address} ${account}`], [signInRules.account, account])
  bounds.forEach(([rule, key], index) => {
    const wait = limits.take(rule, key, now)
    if (wait === 0) return
    for (const [earlier, earlierKey] of bounds.slice(0, index)) limits.giveBack(earlier, earlierKey)
    throw new TooManyAttempts(wait)
  })
  return {
    succeeded() {
      for (const [rule, key] of bounds) {
        if (rule === signInRules.pair) limits.reset(rule, key)
        else limits.giveBack(rule, key)
      }
    },
  }
}

/** Counts one use; throws when there were too many. */
export function countUse(ctx: Context, rule: LimitRule, key: string): void {
  const wait = authState(ctx).limits.take(rule, key, ctx.clock.now().getTime())
  if (wait > 0) throw new TooManyAttempts(wait)
}
