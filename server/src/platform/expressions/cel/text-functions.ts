import { ValueError } from '../errors.ts'
import * as regexp from '../library/regexp.ts'
import * as texts from '../library/text.ts'
import type { Run } from '../run.ts'
import { equal, isList, type Value } from '../values/values.ts'
import { formatText, quoteCel } from './format.ts'
import { shownKind } from './operators.ts'
import type { Registry } from './registry.ts'

/** The strings extension of the language; positions count characters, not UTF-16 units. */

export function onlyText(value: Value, what: string): string {
  if (typeof value !== 'string')
    throw new ValueError(`no such overload: ${what} needs a string, not ${shownKind(value)}`)
  return value
}
export function onlyInt(value: Value, what: string): number {
  if (typeof value !== 'bigint') throw new ValueError(`no such overload: ${what} needs an int, not ${shownKind(value)}`)
  return Number(value)
}
const characters = (run: Run, value: string) => {
  run.spendText(value.length)
  return [...value]
}
const isAscii = (value: string) => !/[^\x00-\x7f]/.test(value)

function indexOf(run: Run, receiver: Value, part: Value, from = 0n as Value): bigint {
  if (isList(receiver)) return BigInt(receiver.findIndex((item) => equal(item, part, run)))
  const value = onlyText(receiver, 'indexOf()')
  const wanted = onlyText(part, 'indexOf()')
  const start = onlyInt(from, 'indexOf()')
  run.spendText(value.length + wanted.length)
  const length = isAscii(value) ? value.length : texts.runeCount(value)
  if (start < 0 || start > length) throw new ValueError(`indexOf(): ${start} is outside the text`)
  if (isAscii(value)) return BigInt(value.indexOf(wanted, start))
  const at = value.indexOf(wanted, [...value].slice(0, start).join('').length)
  return BigInt(at < 0 ? -1 : texts.runeCount(value.slice(0, at)))
}

function lastIndexOf(run: Run, receiver: Value, part: Value, from?: Value): bigint {
  if (isList(receiver)) return BigInt(receiver.findLastIndex((item) => equal(item, part, run)))
  const value = onlyText(receiver, 'lastIndexOf()')
  const wanted = onlyText(part, 'lastIndexOf()')
  const all = characters(run, value)
  const start = from === undefined ? all.length : onlyInt(from, 'lastIndexOf()')
  if (start < 0 || start > all.length) throw new ValueError(`lastIndexOf(): ${start} is outside the text`)
  const at = value.lastIndexOf(wanted, all.slice(0, start).join('').length)
  return BigInt(at < 0 ? -1 : texts.runeCount(value.slice(0, at)))
}

function substring(run: Run, receiver: Value, from: Value, to?: Value): string {
  const all = characters(run, onlyText(receiver, 'substring()'))
  const start = onlyInt(from, 'substring()')
  const end = to === undefined ? all.length : onlyInt(to, 'substring()')
  if (start < 0 || end > all.length || start > end)
    throw new ValueError(`substring(): ${start} to ${end} is outside the text of ${all.length}`)
  return all.slice(start, end).join('')
}

export function registerTextFunctions(registry: Registry): void {
  const plain = (name: string, work: (value: string) => Value) =>
    registry.method(name, 0, (run, receiver) => {
      const value = onlyText(receiver, `${name}()`)
      run.spendText(value.length)
      return work(value)
    })
  const withPart = (name: string, work: (value: string, part: string) => boolean) =>
    registry.method(name, 1, (run, receiver, part) => {
      const value = onlyText(receiver, `${name}()`)
      run.spendText(value.length)
      return work(value, onlyText(part, `${name}()`))
    })
  withPart('startsWith', (value, part) => value.startsWith(part))
  withPart('endsWith', (value, part) => value.endsWith(part))
  registry.method('contains', 1, (run, receiver, part) => {
    if (isList(receiver)) return (receiver as Value[]).some((item) => equal(item, part, run))
    const value = onlyText(receiver, 'contains()')
    run.spendText(value.length)
    return value.includes(onlyText(part, 'contains()'))
  })
  registry.method('matches', 1, (run, receiver, pattern) =>
    regexp.matches(run, onlyText(pattern, 'matches()'), onlyText(receiver, 'matches()')),
  )
  registry.fn('matches', 2, (run, value, pattern) =>
    regexp.matches(run, onlyText(pattern, 'matches()'), onlyText(value, 'matches()')),
  )
  plain('lowerAscii', (value) => value.replace(/[A-Z]+/g, (part) => part.toLowerCase()))
  plain('upperAscii', (value) => value.replace(/[a-z]+/g, (part) => part.toUpperCase()))
  plain('trim', (value) => value.replace(/^[\s\u0085]+|[\s\u0085]+$/g, ''))
  registry.method('charAt', 1, (run, receiver, index) => {
    const all = characters(run, onlyText(receiver, 'charAt()'))
    const at = onlyInt(index, 'charAt()')
    if (at < 0 || at > all.length) throw new ValueError(`charAt(): ${at} is outside the text`)
    return all[at] ?? ''
  })
  registry.method('indexOf', [1, 2], indexOf)
  registry.method('lastIndexOf', [1, 2], lastIndexOf)
  registry.method('substring', [1, 2], substring)
  registry.method('replace', [2, 3], (run, receiver, from, to, most?: Value) =>
    texts.replaceAll(
      run,
      onlyText(from, 'replace()'),
      onlyText(to, 'replace()'),
      onlyText(receiver, 'replace()'),
      most === undefined ? -1 : onlyInt(most, 'replace()'),
    ),
  )
  registry.method('split', [1, 2], (run, receiver, separator, most?: Value) =>
    texts.splitN(
      run,
      onlyText(separator, 'split()'),
      most === undefined ? -1 : onlyInt(most, 'split()'),
      onlyText(receiver, 'split()'),
    ),
  )
  registry.method('join', [0, 1], (run, receiver, separator = '' as Value) => {
    if (!isList(receiver)) throw new ValueError(`no such overload: join() needs a list, not ${shownKind(receiver)}`)
    const parts = (receiver as Value[]).map((item) => onlyText(item, 'join()'))
    const between = onlyText(separator, 'join()')
    run.allowText(parts.reduce((length, part) => length + part.length + between.length, 0))
    return parts.join(between)
  })
  registry.method('format', 1, (run, receiver, args) => formatText(run, onlyText(receiver, 'format()'), args))
  registry.fn('strings.quote', 1, (run, value) => {
    const given = onlyText(value, 'strings.quote()')
    run.allowText(given.length)
    return quoteCel(given)
  })
}
