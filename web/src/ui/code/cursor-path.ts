/**
 * Where a cursor stands in a YAML text, found by indentation alone: the text around a cursor is unfinished by nature, and
 * a parser would refuse it or read it as something else.
 */

export interface CursorPlace {
  /** The path of the object (for a key) or of the value (for a value) at the cursor. */
  path: (string | number)[]
  /** none: inside a comment or a block of text, where nothing can be offered. */
  kind: 'key' | 'value' | 'none'
  /** What is typed of the key or value, and where it starts. */
  typed: string
  from: number
  /** Keys that the object already has. */
  siblings: Set<string>
  /** Columns before the key, for what is inserted below it. */
  indent: number
}

interface Line {
  /** Columns of the list dashes that open on this line. */
  dashes: number[]
  key?: string
  /** Column of the key or of the first text. */
  column: number
  /** What follows the key. */
  rest: string
}

const scalar = /^[|>][+-]?\d*$/

function readLine(text: string): Line | undefined {
  const [, space = '', marks = '', body = ''] = /^(\s*)((?:-(?:\s+|$))*)(.*)$/.exec(text) ?? []
  if (body.startsWith('#') || (body === '' && marks === '')) return undefined
  const key = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#:'"{}[\],&*!|>%@`][^:#]*)\s*:(?:\s|$)/.exec(body)
  const rest = (key ? body.slice(key[0].length) : body).replace(/(^|\s)#.*$/, '').trim()
  return {
    dashes: [...marks.matchAll(/-/g)].map((dash) => space.length + dash.index),
    column: space.length + marks.length,
    key: key?.[1] === undefined ? undefined : unquote(key[1].trim()),
    // Anchors and tags say nothing about what follows.
    rest: rest.replace(/^([&!]\S+\s*)+/, ''),
  }
}

const unquote = (key: string) => (/^(".*"|'.*')$/s.test(key) ? key.slice(1, -1) : key)

/** The place of a cursor in a YAML text. */
export function yamlPlace(text: string, offset: number): CursorPlace {
  const row = text.slice(0, offset).split('\n').length - 1
  const lines = text.split('\n')
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  const [, space = '', marks = '', , typedKey = ''] = /^(\s*)((?:-(?:\s+|$))*)(["']?)(.*)$/.exec(before) ?? []
  const column = space.length + marks.length
  const dashes = [...marks.matchAll(/-/g)].map((dash) => space.length + dash.index)
  const none: CursorPlace = { path: [], kind: 'none', typed: '', from: offset, siblings: new Set(), indent: column }

  const parent = pathOfMap(lines, row, column, dashes)
  if (!parent || /(^|\s)#/.test(before)) return none
  const value = /^(?:"([^"]*)"|'([^']*)'|([^\s:#'"][^:#]*?))\s*:\s+["']?(.*)$/.exec(before.slice(column))
  if (value) {
    const typed = value[4] ?? ''
    return {
      ...none,
      path: [...parent, value[1] ?? value[2] ?? value[3] ?? ''],
      kind: 'value',
      typed,
      from: offset - typed.length,
    }
  }
  const siblings = siblingsOf(lines, row, column, dashes.length > 0)
  return { path: parent, kind: 'key', typed: typedKey, from: offset - typedKey.length, siblings, indent: column }
}

/** The path of the object whose keys stand in this column; undefined inside a block of text. */
function pathOfMap(lines: string[], row: number, column: number, dashes: number[]): (string | number)[] | undefined {
  if (dashes.length > 0) return pathOfEntry(lines, row, dashes)
  let limit = column
  for (let above = row - 1; above >= 0; above--) {
    const line = readLine(lines[above]!)
    if (!line) continue
    const opensEntry =
      line.dashes.length > 0 && line.key === undefined && line.rest === '' && line.dashes.at(-1)! < limit
    if (opensEntry || (line.dashes.length > 0 && line.column === limit)) return pathOfEntry(lines, above, line.dashes)
    if (line.column >= limit || line.key === undefined) continue
    if (scalar.test(line.rest)) return undefined
    if (line.rest === '') {
      const parent = pathOfMap(lines, above, line.column, line.dashes)
      return parent && [...parent, line.key]
    }
    // The cursor is indented below a finished value: it can only become its sibling.
    if (line.dashes.length > 0) return pathOfEntry(lines, above, line.dashes)
    limit = line.column
  }
  return []
}

/** The path of the list entry that the last of these dashes opens. */
function pathOfEntry(lines: string[], row: number, dashes: number[]): (string | number)[] | undefined {
  const dash = dashes.at(-1)!
  if (dashes.length > 1) {
    const outer = pathOfEntry(lines, row, dashes.slice(0, -1))
    return outer && [...outer, 0]
  }
  let index = 0
  for (let above = row - 1; above >= 0; above--) {
    const line = readLine(lines[above]!)
    if (!line) continue
    if (line.dashes.includes(dash)) {
      index++
      const outer = line.dashes.filter((other) => other < dash)
      if (outer.length === 0) continue
      const path = pathOfEntry(lines, above, outer)
      return path && [...path, index]
    }
    const isParent = line.key !== undefined && line.rest === '' && line.column <= dash
    if (isParent) {
      const path = pathOfMap(lines, above, line.column, line.dashes)
      return path && [...path, line.key!, index]
    }
    if (line.key !== undefined && line.column < dash && scalar.test(line.rest)) return undefined
  }
  return [index]
}

function siblingsOf(lines: string[], row: number, column: number, startsEntry: boolean): Set<string> {
  const keys = new Set<string>()
  const scan = (from: number, step: 1 | -1) => {
    for (let at = from; at >= 0 && at < lines.length; at += step) {
      const line = readLine(lines[at]!)
      if (!line) continue
      // Another entry of the list begins, or the object ends.
      if (line.column < column || (line.dashes.length > 0 && line.column === column && step === 1)) return
      if (line.column === column && line.key !== undefined) keys.add(line.key)
      if (line.column === column && line.dashes.length > 0) return
    }
  }
  if (!startsEntry) scan(row - 1, -1)
  scan(row + 1, 1)
  return keys
}
