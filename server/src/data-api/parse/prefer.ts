import { badPreferences } from '../errors.ts'

export interface Preferences {
  return?: 'minimal' | 'representation' | 'headers-only'
  count?: 'exact' | 'planned' | 'estimated'
  resolution?: 'merge-duplicates' | 'ignore-duplicates'
  missing?: 'default' | 'null'
  handling?: 'strict' | 'lenient'
  tx?: 'commit' | 'rollback'
  maxAffected?: number
}

const words: Record<string, readonly string[]> = {
  return: ['minimal', 'representation', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
  tx: ['commit', 'rollback'],
}

/** The Prefer header; of two words on one subject the first counts. Unknown ones only matter with handling=strict. */
export function parsePrefer(header: string | string[] | undefined): Preferences {
  if (header === undefined) return {}
  const found: Record<string, string | number> = {}
  const unknown: string[] = []
  for (const part of (Array.isArray(header) ? header.join(',') : header).split(',')) {
    const preference = part.trim()
    if (preference === '') continue
    const [name = '', value = ''] = preference.split('=', 2).map((text) => text.trim())
    if (name === 'max-affected' && /^\d{1,9}$/.test(value)) found.maxAffected ??= Number(value)
    else if (Object.hasOwn(words, name) && words[name]!.includes(value)) found[name] ??= value
    else unknown.push(preference)
  }
  if (found.handling === 'strict' && unknown.length > 0) throw badPreferences(unknown)
  return found as Preferences
}
