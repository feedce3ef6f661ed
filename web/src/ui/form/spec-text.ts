import { parse, stringify } from 'yaml'

/** An object as YAML (or JSON) text; nothing, and an empty object, are an empty text. */
export function writeSpec(value: unknown, language: 'yaml' | 'json'): string {
  if (value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return ''
  return language === 'json'
    ? JSON.stringify(value, null, 2)
    : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
}

/** JSON is YAML too, and read a hundred times faster as what it is. */
function jsonOf(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The object a YAML or JSON text holds: empty text is an empty object; undefined when it cannot be read or is no object. */
export function readSpec(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = jsonOf(text) ?? parse(text, { merge: true, maxAliasCount: 100, logLevel: 'error' })
    // Something that holds itself can be written in YAML, but not sent.
    if (text.includes('*')) JSON.stringify(value)
    if (value === null || value === undefined) return {}
    return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
