import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { goQuote } from '../values/quote.ts'
import { compareText, type Value } from '../values/values.ts'
import { texts, text as toText } from './args.ts'

/** Text functions. The text worked on comes last, as in templates; lengths and positions count characters. */

const length = (text: string) => {
  let count = 0
  for (const _ of text) count++
  return count
}

export const runeCount = (text: string): number => length(text)

export function abbrev(offset: number, width: number, text: string): string {
  const characters = [...text]
  if (width < 4) throw new ValueError('abbrev needs a width of 4 or more')
  if (characters.length <= width) return text
  const at = Math.max(0, Math.min(offset, characters.length - (width - 3)))
  if (at <= 4) return `${characters.slice(0, width - 3).join('')}...`
  if (width < 7) throw new ValueError('abbrev with an offset needs a width of 7 or more')
  const rest = characters.slice(at)
  return rest.length > width - 3
    ? `...${rest.slice(0, width - 6).join('')}...`
    : `...${characters.slice(-(width - 3)).join('')}`
}

const words = (text: string) =>
  text
    .trim()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Lower case but for the first letter, which stays as it is. */
const lowered = (text: string) => {
  const [first = '', ...rest] = [...words(text)]
  return first + rest.join('').toLowerCase()
}

export function camelCase(text: string): string {
  const [first = '', ...rest] = words(text).split(' ')
  return first + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
export const snakeCase = (text: string): string => lowered(text).replaceAll(' ', '_')
export const kebabCase = (text: string): string => lowered(text).replaceAll(' ', '-')

const spelled: Record<string, string> = {
  '&': ' and ',
  '@': ' at ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  ð: 'd',
}

export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[&@ßæœøđłþð]/g, (character) => spelled[character]!)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-_]+|[-_]+$/g, '')
}

export const title = (text: string): string =>
  text.replace(/(^|[^\p{L}\p{N}_'’])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())

export const trunc = (count: number, text: string): string => (count < 0 ? text : [...text].slice(0, count).join(''))

/** Puts the prefix before every line that is not empty. */
export function indent(run: Run, width: number, prefix: string, text: string): string {
  const before = repeat(run, width, prefix)
  const lines = text.split('\n')
  run.allowText(text.length + lines.length * before.length)
  return lines.map((line) => (line === '' ? line : before + line)).join('\n')
}

export function repeat(run: Run, count: number, text: string): string {
  if (count < 0) throw new ValueError('a text cannot be repeated a negative number of times')
  run.allowText(count * text.length)
  return text.repeat(count)
}

export function replaceAll(run: Run, from: string, to: string, text: string, most = -1): string {
  run.spendText(text.length)
  if (most === 0 || from === to) return text
  const parts = from === '' ? ['', ...text, ''] : text.split(from)
  const limit = most < 0 ? parts.length - 1 : Math.min(most, parts.length - 1)
  run.allowText(text.length + limit * to.length)
  return (
    parts
      .slice(0, limit)
      .map((part) => part + to)
      .join('') + parts.slice(limit).join(from)
  )
}

export const quote = (text: string): string => goQuote(text)
export const squote = (text: string): string => `'${text.replaceAll("'", "''")}'`
/** For a POSIX shell; the words of a list are quoted one by one. */
export function shellQuote(value: Value): string {
  if (Array.isArray(value)) return value.map((item) => shellQuote(toText(item))).join(' ')
  return `'${toText(value).replaceAll("'", `'"'"'`)}'`
}

/** At most `count` parts; the last keeps the rest. Below zero: all parts. */
export function splitN(run: Run, separator: string, count: number, text: string): string[] {
  run.spendText(text.length)
  if (count === 0) return []
  const parts = separator === '' ? [...text] : text.split(separator)
  run.spend(parts.length)
  if (count < 0 || parts.length <= count) return parts
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)]
}

export const sortTexts = (value: Value): string[] => texts(value).sort(compareText)

export function trimCutset(cutset: string, text: string, ends: 'both' | 'start' | 'end' = 'both'): string {
  const characters = [...text]
  const set = new Set(cutset)
  let from = 0
  let to = characters.length
  if (ends !== 'end') while (from < to && set.has(characters[from]!)) from++
  if (ends !== 'start') while (to > from && set.has(characters[to - 1]!)) to--
  return characters.slice(from, to).join('')
}
export const trimPrefix = (prefix: string, text: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : text
export const trimSuffix = (suffix: string, text: string): string =>
  suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text

/** Breaks lines at blanks so that they stay within the width where words allow it. */
export function wordWrap(run: Run, width: number, separator: string, text: string): string {
  run.spendText(text.length * 4)
  const wide = width < 1 ? 1 : width
  const characters = [...text]
  const lines: string[] = []
  let at = 0
  while (characters.length - at > wide) {
    if (characters[at] === ' ') {
      at++
      continue
    }
    const before = characters.lastIndexOf(' ', at + wide)
    const space = before > at ? before : characters.indexOf(' ', at + wide)
    if (space < 0) break
    lines.push(characters.slice(at, space).join(''))
    at = space + 1
  }
  lines.push(characters.slice(at).join(''))
  run.allowText(text.length + lines.length * separator.length)
  return lines.join(separator)
}
