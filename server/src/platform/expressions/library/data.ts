import { parse as parseTomlText, stringify as writeToml } from 'smol-toml'
import { parse as parseYamlText, parseAllDocuments, stringify as writeYaml } from 'yaml'
import { ValueError } from '../errors.ts'
import type { Run } from '../run.ts'
import { compareText, toHost, type Value } from '../values/values.ts'
import { text } from './args.ts'

/** Between text and data. Parsing is charged by what it was measured to take: YAML is about sixty times JSON. */

const reason = (error: unknown) => (error instanceof Error ? error.message.split('\n')[0]! : String(error))

export function parseJson(run: Run, source: Value): unknown {
  const given = text(source)
  run.spend(1 + (given.length >>> 3))
  try {
    return JSON.parse(given)
  } catch {
    // V8 quotes the text in its message; the text may be a secret.
    throw new ValueError('the text is not JSON')
  }
}

function expect<T>(value: T, kind: 'object' | 'list'): T {
  const isList = Array.isArray(value)
  if (kind === 'list' ? !isList : isList || value === null || typeof value !== 'object') {
    throw new ValueError(kind === 'list' ? 'the text holds no list' : 'the text holds no object')
  }
  return value
}

export const json = (run: Run, source: Value): unknown => expect(parseJson(run, source), 'object')
export const jsonArray = (run: Run, source: Value): unknown => expect(parseJson(run, source), 'list')

export function parseYaml(run: Run, source: Value): unknown {
  const given = text(source)
  run.spend(1 + given.length * 20)
  try {
    return parseYamlText(given, { merge: true, maxAliasCount: 100 }) as unknown
  } catch (error) {
    throw new ValueError(`the text is not YAML: ${reason(error).replace(/:?\s*at line/, ' at line')}`)
  }
}

/** All documents of a YAML stream. */
export function parseYamlStream(run: Run, source: Value): unknown[] {
  const given = text(source)
  run.spend(1 + given.length * 20)
  const documents = parseAllDocuments(given, { merge: true })
  return (Array.isArray(documents) ? documents : []).map((document) => {
    if (document.errors.length > 0) throw new ValueError(`the text is not YAML: ${reason(document.errors[0])}`)
    return document.toJS({ maxAliasCount: 100 }) as unknown
  })
}

export const yaml = (run: Run, source: Value): unknown => expect(parseYaml(run, source), 'object')
export const yamlArray = (run: Run, source: Value): unknown => expect(parseYaml(run, source), 'list')

export function toml(run: Run, source: Value): unknown {
  const given = text(source)
  run.spend(1 + given.length * 8)
  try {
    return parseTomlText(given)
  } catch (error) {
    throw new ValueError(`the text is not TOML: ${reason(error)}`)
  }
}

/** Objects with their keys in order, as Go writes them. */
function ordered(run: Run, value: unknown): unknown {
  run.spend(1)
  if (Array.isArray(value)) return value.map((item) => ordered(run, item))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort((a, b) => compareText(a[0], b[0]))
  return Object.fromEntries(entries.map(([key, item]) => [key, ordered(run, item)]))
}

const plain = (run: Run, value: Value) => ordered(run, toHost(value))
const allowed = (run: Run, made: string) => {
  run.allowText(made.length)
  return made
}

export const toJson = (run: Run, value: Value): string => allowed(run, JSON.stringify(plain(run, value)))
export const toJsonPretty = (run: Run, indent: string, value: Value): string =>
  allowed(run, JSON.stringify(plain(run, value), null, indent.slice(0, 10)))

export function toYaml(run: Run, value: Value): string {
  const data = plain(run, value)
  run.spend(JSON.stringify(data).length * 4)
  return allowed(run, writeYaml(data, { lineWidth: 0 }))
}

export function toToml(run: Run, value: Value): string {
  const data = plain(run, value)
  if (data === null || typeof data !== 'object' || Array.isArray(data))
    throw new ValueError('only a map can become TOML')
  try {
    return allowed(run, writeToml(withoutNulls(data)))
  } catch (error) {
    throw new ValueError(`the value cannot become TOML: ${reason(error)}`)
  }
}

/** TOML has no null. */
function withoutNulls(value: unknown): Record<string, unknown> {
  const clean = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.filter((entry) => entry !== null).map(clean)
    return item !== null && typeof item === 'object' ? withoutNulls(item) : item
  }
  return Object.fromEntries(
    Object.entries(value as object)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, clean(item)]),
  )
}
