import { createHash } from 'node:crypto'
import type { Json } from './canonical.ts'

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
const timestamp = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})/g
const sha256 = /(?<![0-9a-z])[0-9a-z]{64}(?![0-9a-z])/g
const digits = /^\d+$/

function token(value: Json): string {
  if (typeof value === 'number') return '0'
  if (typeof value !== 'string') return String(value)
  if (digits.test(value)) return 'NUMBER'
  return value.replace(uuid, 'UUID').replace(timestamp, 'TIMESTAMP').replace(sha256, 'SHA256')
}

function flatten(value: Json, path: string, out: string[]): void {
  if (Array.isArray(value))
    value.forEach((item, index) => flatten(item, path ? `${path}.${index}` : String(index), out))
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) flatten(inner, path ? `${path}.${key}` : key, out)
  } else out.push(`${path}${token(value)}`)
}

/**
 * What makes two changes "the same again": their patch (or details) with ids, times, hashes and numbers blanked out.
 * A change with neither has none and is never folded.
 */
export function fingerprintOf(change: { patches?: Json; details?: Json }): string | undefined {
  const body = isEmpty(change.patches) ? change.details : change.patches
  if (body === undefined || isEmpty(body)) return undefined
  const lines: string[] = []
  flatten(body, '', lines)
  return createHash('md5').update(lines.sort().join('')).digest('hex')
}

const isEmpty = (value: Json | undefined): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)
