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

export const textOf = (value: unknown, format: DocumentFormat): string =>
  format === 'json' ? JSON.stringify(value, null, 2) : yamlText(value)

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
