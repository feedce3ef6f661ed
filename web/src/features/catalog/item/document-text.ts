import { yamlText } from './yaml-text.ts'

export type DocumentFormat = 'json' | 'yaml'

/** Text that came as text, with the language it is in. */
export interface OwnText {
  content: string
  format: string
}

/** Documents that are files carry their text and format beside each other; others are plain JSON. */
export function ownTextOf(config: unknown): OwnText | undefined {
  if (typeof config === 'string') return { content: config, format: 'text' }
  if (typeof config !== 'object' || config === null || !('content' in config)) return undefined
  const { content, format } = config as { content: unknown; format?: unknown }
  if (typeof content !== 'string') return undefined
  return { content, format: typeof format === 'string' ? format.toLowerCase() : 'text' }
}

/** The document as text. The database keeps keys in an order of its own, so they are put in one people can read. */
export function textOf(value: unknown, format: DocumentFormat): string {
  const ordered = inReadingOrder(value)
  return format === 'json' ? JSON.stringify(ordered, null, 2) : yamlText(ordered)
}

const firstKeys = ['apiVersion', 'kind', 'type', 'metadata', 'id', 'name', 'namespace']
const rank = (key: string) => {
  const place = firstKeys.indexOf(key)
  return place >= 0 ? place : key === 'status' ? firstKeys.length + 1 : firstKeys.length
}

/** What something is comes first, its status last, everything else by the alphabet. */
function inReadingOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inReadingOrder)
  if (typeof value !== 'object' || value === null) return value
  const keys = Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
  return Object.fromEntries(keys.map((key) => [key, inReadingOrder((value as Record<string, unknown>)[key])]))
}

const large = 20_000

/** Whether a value has so many parts that writing it out would be felt; looks no further than it must. */
export function isLarge(value: unknown): boolean {
  let left = large
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (--left <= 0) return true
    if (typeof next === 'string') left -= next.length / 100
    else if (typeof next === 'object' && next !== null) for (const part of Object.values(next)) waiting.push(part)
  }
  return left <= 0
}
