import { createHash } from 'node:crypto'
import type { Sql } from '../db/db.ts'

export interface LimitRule {
  name: string
  limit: number
  windowMs: number
}

export interface RateLimiter {
  /** Counts one attempt. Answers how many milliseconds to wait when there were too many, else 0. */
  take(rule: LimitRule, key: string, now: Date): Promise<number>
  /** Takes one attempt back, for those that turned out to be fine. */
  giveBack(rule: LimitRule, key: string): Promise<void>
  reset(rule: LimitRule, key: string): Promise<void>
}

/** A refusal holds this long without asking again, so that hammering costs nothing. */
const rememberMs = 1000
const mostRemembered = 5000
/** After so many counts those that are over are swept away; what is left is what was tried in the longest window. */
const sweepEvery = 50
const sweepRows = 500

/** Counters in the database, one window each: shared by all processes, and not forgotten by a restart. */
export function rateLimiter(sql: Sql): RateLimiter {
  const refused = new Map<string, { resetsAt: number; askAgainAt: number }>()
  let counted = 0

  return {
    async take(rule, key, now) {
      const id = idOf(rule, key)
      const known = refused.get(id)
      const time = now.getTime()
      if (known && known.askAgainAt > time && known.resetsAt > time) return known.resetsAt - time
      if (++counted % sweepEvery === 0) await sweep(sql, now)
      const resetsAt = await countOne(sql, id, rule, now)
      refused.delete(id)
      if (resetsAt === undefined) return 0
      refused.set(id, { resetsAt: resetsAt.getTime(), askAgainAt: time + rememberMs })
      if (refused.size > mostRemembered) refused.delete(refused.keys().next().value as string)
      return Math.max(1, resetsAt.getTime() - time)
    },
    async giveBack(rule, key) {
      await sql.run('update identity_limits set count = count - 1 where key = $1 and count > 0', [idOf(rule, key)])
    },
    async reset(rule, key) {
      const id = idOf(rule, key)
      refused.delete(id)
      await sql.run('delete from identity_limits where key = $1', [id])
    },
  }
}

const idOf = (rule: LimitRule, key: string): string =>
  createHash('sha256').update(`${rule.name} ${key}`).digest('base64url')

/**
 * Counts when there is room, in one statement, so that attempts made at once are counted too. Else answers when the
 * window ends. Attempts beyond the limit are not counted: waiting always helps, hammering never prolongs the wait.
 */
async function countOne(sql: Sql, id: string, rule: LimitRule, now: Date): Promise<Date | undefined> {
  const counted = await sql.run(
    `insert into identity_limits as l (key, count, resets_at) values ($1, 1, $3)
     on conflict (key) do update set
       count = case when l.resets_at <= $2 then 1 else l.count + 1 end,
       resets_at = case when l.resets_at <= $2 then excluded.resets_at else l.resets_at end
     where l.resets_at <= $2 or l.count < $4`,
    [id, now, new Date(now.getTime() + rule.windowMs), rule.limit],
  )
  if (counted > 0) return undefined
  const row = await sql.maybeOne<{ resets_at: Date }>('select resets_at from identity_limits where key = $1', [id])
  return row?.resets_at ?? now
}

const sweep = (sql: Sql, now: Date) =>
  sql.run(
    `delete from identity_limits where key in
       (select key from identity_limits where resets_at <= $1 order by resets_at limit $2 for update skip locked)`,
    [now, sweepRows],
  )

/** One key per caller: an IPv6 caller owns a whole /64, so its other half does not make it somebody else. */
export function addressKey(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  return `${[...front, ...zeros, ...back]
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
