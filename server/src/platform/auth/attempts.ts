import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { AppError } from '../errors.ts'
import { audit } from './audit.ts'
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
/** Mails with a code or a link. */
export const mailRules = {
  address: { name: 'mail-address', limit: 10, windowMs: 15 * minute },
  account: { name: 'mail-account', limit: 3, windowMs: 15 * minute },
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

export interface Attempt {
  succeeded(): Promise<void>
}

/**
 * Counts against the bounds first, so that guesses made at once are bounded too. Call `succeeded` when it was no guess.
 * Without an account only the address counts.
 */
export async function beginAttempt(ctx: Context, request: FastifyRequest, account?: string): Promise<Attempt> {
  const { limits } = authState(ctx)
  const now = ctx.clock.now()
  const address = addressKey(request.ip)
  const ofAddress: [LimitRule, string] = [signInRules.address, address]
  // The narrowest first: who is stopped by it costs the others nothing.
  const bounds: [LimitRule, string][] =
    account === undefined
      ? [ofAddress]
      : [[signInRules.pair, `${address} ${account}`], ofAddress, [signInRules.account, account]]
  // One after the other: statements on single rows cannot wait for each other in a circle.
  for (const [index, [rule, key]] of bounds.entries()) {
    const wait = await limits.take(rule, key, now)
    if (wait === 0) continue
    for (const [earlier, earlierKey] of bounds.slice(0, index)) await limits.giveBack(earlier, earlierKey)
    await recordLock(ctx, request, { rule, key, account })
    throw new TooManyAttempts(wait)
  }
  return {
    async succeeded() {
      for (const [rule, key] of bounds) await (rule === signInRules.pair ? limits.reset : limits.giveBack)(rule, key)
    },
  }
}

/** Written down once per lock, however often it is run into. */
async function recordLock(
  ctx: Context,
  request: FastifyRequest,
  { rule, key, account }: { rule: LimitRule; key: string; account?: string },
): Promise<void> {
  const once = { ...rule, name: `${rule.name}-recorded`, limit: 1 }
  if (await isTooOften(ctx, once, key)) return
  await audit(ctx.db, {
    action: 'sign_in_failed',
    outcome: 'failure',
    target: { type: 'identity', name: nameOf(account) },
    details: { reason: 'too many attempts', bound: rule.name },
    request,
  })
}

/** Some people type their password into the wrong field, so only what looks like an address is written down. */
export const nameOf = (account: string | undefined): string | null =>
  account === undefined ? null : account.includes('@') ? account : 'not an address'

/** Counts one use; throws when there were too many. */
export async function countUse(ctx: Context, rule: LimitRule, key: string): Promise<void> {
  const wait = await authState(ctx).limits.take(rule, key, ctx.clock.now())
  if (wait > 0) throw new TooManyAttempts(wait)
}

/** As countUse, for answers that must not say that there were too many. */
export const isTooOften = async (ctx: Context, rule: LimitRule, key: string): Promise<boolean> =>
  (await authState(ctx).limits.take(rule, key, ctx.clock.now())) > 0
