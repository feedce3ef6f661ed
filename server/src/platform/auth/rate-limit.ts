export interface LimitRule {
  name: string
  limit: number
  windowMs: number
}

interface Counter {
  count: number
  resetsAt: number
}

export interface RateLimiter {
  /** Counts one attempt. Answers how many milliseconds to wait when there were too many, else 0. */
  take(rule: LimitRule, key: string, now: number): number
  /** Takes one attempt back, for those that turned out to be fine. */
  giveBack(rule: LimitRule, key: string): void
  reset(rule: LimitRule, key: string): void
  readonly size: number
}

/** Counters in memory, one window each. The oldest is forgotten when there are more than `max`, so memory is bounded. */
export function rateLimiter(max = 20_000): RateLimiter {
  const counters = new Map<string, Counter>()
  const id = (rule: LimitRule, key: string) => `${rule.name} ${key}`

  return {
    take(rule, key, now) {
      const at = id(rule, key)
      const found = counters.get(at)
      if (found && found.resetsAt > now) {
        // Attempts beyond the limit are not counted: waiting always helps, hammering never prolongs the wait.
        if (found.count >= rule.limit) return found.resetsAt - now
        found.count += 1
        return 0
      }
      counters.delete(at)
      counters.set(at, { count: 1, resetsAt: now + rule.windowMs })
      if (counters.size > max) counters.delete(counters.keys().next().value as string)
      return 0
    },
    giveBack(rule, key) {
      const found = counters.get(id(rule, key))
      if (found && found.count > 0) found.count -= 1
    },
    reset: (rule, key) => void counters.delete(id(rule, key)),
    get size() {
      return counters.size
    },
  }
}

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
