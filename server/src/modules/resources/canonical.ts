import { createHash } from 'node:crypto'

/** JSON with sorted keys: equal values give equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}

export const hashOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex')

/** A uuid (version 5) that only depends on what the document is called, so that applying it anywhere gives the same id. */
export function idOf(kind: string, namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(`quarterdeck:${canonical([kind, namespace, name])}`)
    .digest()
    .subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
