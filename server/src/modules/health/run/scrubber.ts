import type { RunScrubber } from './run-check.ts'

const blank = '***'
/** Shorter values occur in ordinary text by chance; blanking them would make results unreadable. */
const shortest = 4

/** Knows the secrets of one run and blanks them, plain, base64 and percent-encoded, in whatever leaves it. */
export function runScrubber(): RunScrubber {
  const secrets = new Set<string>()
  const text = (value: string): string => {
    let clean = value
    for (const secret of secrets) clean = clean.replaceAll(secret, blank)
    return clean
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(walk)
    // Times and durations are objects with a text of their own.
    if (value !== null && typeof (value as { toJSON?: unknown })?.toJSON === 'function')
      return walk((value as { toJSON(): unknown }).toJSON())
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), walk(inner)]))
    }
    return value
  }
  return {
    add(secret) {
      if (secret.length < shortest) return
      secrets.add(secret)
      secrets.add(Buffer.from(secret).toString('base64'))
      secrets.add(encodeURIComponent(secret))
    },
    text,
    value: (value) => (secrets.size === 0 ? value : (walk(value) as typeof value)),
  }
}
