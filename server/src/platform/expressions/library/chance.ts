import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import type { Value } from '../values/values.ts'
import { integer, list, number, text } from './args.ts'

const alphabet = 'abcdefghijklmnopqrstuvwxyz'
const letters = alphabet.toUpperCase() + alphabet
const alnum = `${letters}0123456789`
const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')

function letterOf(run: Run, count: Value, from: string): string {
  const length = integer(count)
  if (length < 1) throw new ValueError('the count must be 1 or more')
  run.allowText(length)
  run.spend(length)
  return Array.from({ length }, () => from[randomInt(from.length)]).join('')
}

export const randomAscii = (run: Run, count: Value): string => letterOf(run, count, ascii)
export const randomAlpha = (run: Run, count: Value): string => letterOf(run, count, letters)
export const randomAlnum = (run: Run, count: Value): string => letterOf(run, count, alnum)

/** From a set such as `[a-z0-9]`, between two characters, or letters, digits, `_`, `.` and `-`. */
export function randomText(run: Run, count: Value, lower?: Value, upper?: Value): string {
  if (lower === undefined) return letterOf(run, count, `${alnum}_.-`)
  if (upper === undefined) return letterOf(run, count, charactersOf(text(lower)))
  const [from, to] = [lower, upper].map((end) => (typeof end === 'string' ? end.codePointAt(0)! : integer(end))) as [
    number,
    number,
  ]
  if (to < from || to > 0x10ffff || to - from > 5_000) throw new ValueError('the range of characters is wrong')
  return letterOf(
    run,
    count,
    Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)).join(''),
  )
}

function charactersOf(set: string): string {
  const classes = /^\[([^\]]+)\]$/.exec(set)
  if (!classes) return set
  const expanded = classes[1]!.replace(/(.)-(.)/g, (all, from: string, to: string) => {
    const [start, end] = [from.charCodeAt(0), to.charCodeAt(0)]
    if (end < start) return all
    return Array.from({ length: end - start + 1 }, (_, index) => String.fromCharCode(start + index)).join('')
  })
  if (expanded === '') throw new ValueError('the set of characters is empty')
  return expanded
}

export function randomItem(value: Value): Value {
  const items = list(value)
  if (items.length === 0) throw new ValueError('the list to choose from is empty')
  return items[randomInt(items.length)]
}

/** Whole number between both ends, which are part of it; 0 to 100 unless given. */
export function randomNumber(...args: Value[]): number {
  const [low, high] =
    args.length === 0 ? [0, 100] : args.length === 1 ? [0, integer(args[0])] : args.slice(0, 2).map(integer)
  if (high! < low! || high! - low! > 2 ** 47) throw new ValueError('the range of numbers is wrong')
  return randomInt(low!, high! + 1)
}

export function randomFloat(...args: Value[]): number {
  const [low, high] =
    args.length === 0 ? [0, 1] : args.length === 1 ? [0, number(args[0])] : args.slice(0, 2).map(number)
  return low! + (randomBytes(6).readUIntBE(0, 6) / 2 ** 48) * (high! - low!)
}

export const uuidV4 = (): string => randomUUID()
export const uuidNil = (): string => '00000000-0000-0000-0000-000000000000'

/** By time and a random node, as RFC 9562 version 1. */
export function uuidV1(run: Run): string {
  const time = BigInt(Math.trunc(run.now)) * 10_000n + BigInt(randomInt(10_000)) + 0x01b21dd213814000n
  const hex = time.toString(16).padStart(16, '0').slice(-16)
  const rest = randomBytes(8)
  rest[0] = (rest[0]! & 0x3f) | 0x80
  rest[2] = rest[2]! | 0x01
  const tail = rest.toString('hex')
  return `${hex.slice(8)}-${hex.slice(4, 8)}-1${hex.slice(1, 4)}-${tail.slice(0, 4)}-${tail.slice(4)}`
}

const uuidPattern = /^(?:urn:uuid:)?\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i
export const uuidIsValid = (value: Value): boolean => uuidPattern.test(text(value))
export function uuidParse(value: Value): string {
  const found = uuidPattern.exec(text(value))
  if (!found) throw new ValueError(`"${text(value).slice(0, 60)}" is not a uuid`)
  return found.slice(1).join('-').toLowerCase()
}
