import { parseDuration } from '@quarterdeck/contract/schedule'
import { InvalidCheck } from '../run/run-check.ts'
import { durationOf, patternOf, sizeOf } from './support.ts'

export interface FileInfo {
  name: string
  size: number
  mode: string
  modified: Date
  is_dir: boolean
}

/** What a backend found; space is known of file systems only. */
export interface Listing {
  files: FileInfo[]
  availableSize?: number
  totalSize?: number
}

/** Listing of object stores stops here unless the property s3.list.max-objects says otherwise. */
export const maxObjects = 50_000

export interface FileFilter {
  minAge?: string
  maxAge?: string
  since?: string
  minSize?: string
  maxSize?: string
  regex?: string
}

/** Which files count. */
export function fileFilter(filter: FileFilter | undefined, now: number): (file: FileInfo) => boolean {
  if (!filter) return () => true
  const minAge = durationOf(filter.minAge, 'filter.minAge')
  const maxAge = durationOf(filter.maxAge, 'filter.maxAge')
  const minSize = sizeOf(filter.minSize, 'filter.minSize')
  const maxSize = sizeOf(filter.maxSize, 'filter.maxSize')
  const since = filter.since ? readMoment(filter.since, now) + 1000 : undefined
  const regex = filter.regex ? patternOf(filter.regex, 'filter.regex') : undefined
  return ({ name, size, modified }) => {
    const age = now - modified.getTime()
    return (
      (minAge === undefined || age >= minAge) &&
      (maxAge === undefined || age <= maxAge) &&
      (since === undefined || modified.getTime() >= since) &&
      (minSize === undefined || size >= minSize) &&
      (maxSize === undefined || size <= maxSize) &&
      (regex === undefined || regex.test(name))
    )
  }
}

const units: Record<string, string> = { y: '365d', M: '30d', w: '7d', d: '1d', h: '1h', H: '1h', m: '1m', s: '1s' }

/** A time, or date math such as `now-1d`, `now-1h/d`. */
export function readMoment(text: string, now: number): number {
  const math = /^now((?:[+-]\d+[yMwdhHms])*)(?:\/([dhHm]))?$/.exec(text.trim())
  if (!math) {
    const time = Date.parse(text)
    if (Number.isNaN(time))
      throw new InvalidCheck(`filter.since: "${text}" is neither a time nor date math such as now-1d`)
    return time
  }
  let at = now
  for (const [, sign, count, unit] of (math[1] ?? '').matchAll(/([+-])(\d+)([yMwdhHms])/g))
    at += (sign === '-' ? -1 : 1) * Number(count) * parseDuration(units[unit!]!)!
  const step = math[2] ? parseDuration(units[math[2]]!)! : 1
  return Math.floor(at / step) * step
}

/** `rwxr-xr-x` with its leading letter, as listings show it. */
export function modeText(mode: number, isDirectory = false): string {
  const letters = 'rwxrwxrwx'
  return (
    (isDirectory ? 'd' : '-') + [...letters].map((letter, bit) => (mode & (1 << (8 - bit)) ? letter : '-')).join('')
  )
}
