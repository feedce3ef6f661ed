import { posix } from 'node:path'
import type { Run } from '../run.ts'
import { ValueError } from '../errors.ts'
import { compilePattern } from './regexp.ts'

/** Paths with slashes; nothing here looks at a disk. */

export const base = (path: string): string => {
  if (path === '') return '.'
  const trimmed = path.replace(/\/+$/, '')
  return trimmed === '' ? '/' : trimmed.slice(trimmed.lastIndexOf('/') + 1)
}
export const clean = (path: string): string => {
  const normal = posix.normalize(path)
  return normal.length > 1 ? normal.replace(/\/$/, '') : normal
}
export const dir = (path: string): string => clean(path.slice(0, path.lastIndexOf('/') + 1))
export const ext = (path: string): string => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : name.slice(dot)
}
export const isAbs = (path: string): boolean => path.startsWith('/')
export const join = (parts: string[]): string => {
  const given = parts.filter((part) => part !== '')
  return given.length === 0 ? '' : clean(given.join('/'))
}
export const split = (path: string): [string, string] => {
  const at = path.lastIndexOf('/') + 1
  return [path.slice(0, at), path.slice(at)]
}
export function rel(from: string, to: string): string {
  if (isAbs(from) !== isAbs(to)) throw new ValueError(`there is no relative path from ${from} to ${to}`)
  return posix.relative(posix.resolve('/', from), posix.resolve('/', to)) || '.'
}

/** `*` and `?` do not cross slashes; `[a-z]` and `[^a-z]` are sets. */
export function match(run: Run, pattern: string, name: string): boolean {
  run.spendText(pattern.length + name.length * 4)
  let expression = '^'
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i]!
    if (character === '*') expression += '[^/]*'
    else if (character === '?') expression += '[^/]'
    else if (character === '\\') expression += escaped(pattern[++i] ?? '')
    else if (character === '[') {
      const close = pattern.indexOf(']', i + 2)
      if (close < 0) throw new ValueError(`the pattern ${pattern} has a set that does not end`)
      expression += pattern.slice(i, close + 1).replace(/^\[!/, '[^')
      i = close
    } else expression += escaped(character)
  }
  return compilePattern(`${expression}$`).matcher(name).find()
}

const escaped = (character: string) => character.replace(/[\\.+*?()|[\]{}^$]/, '\\$&')
