import { randomBytes } from 'node:crypto'

let lastTime = 0
let counter = 0

/** A time-ordered uuid (version 7). Ids made by one process keep their order within a millisecond too. */
export function newId(now: number = Date.now()): string {
  if (now > lastTime) {
    lastTime = now
    counter = randomBytes(2).readUInt16BE() & 0x7ff
  } else {
    counter += 1
    // Twelve bits of order; when they run out the clock is pushed ahead by a millisecond.
    if (counter > 0xfff) {
      lastTime += 1
      counter = 0
    }
  }
  const bytes = randomBytes(16)
  bytes.writeUIntBE(lastTime, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: unknown): text is string => typeof text === 'string' && uuid.test(text)
