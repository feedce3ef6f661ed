import { createHash } from 'node:crypto'
import { isUuid } from '../../../platform/ids.ts'

/**
 * The id of an item's row: its id in the source when that is a uuid, else one derived from type and id, so that every
 * scrape of every process finds the same row without asking, and two types may use the same ids.
 */
export function rowIdOf(type: string, externalId: string): string {
  if (isUuid(externalId)) return externalId.toLowerCase()
  const hash = createHash('sha1').update([type, externalId].join('\0')).digest()
  hash[6] = (hash[6]! & 0x0f) | 0x50
  hash[8] = (hash[8]! & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
