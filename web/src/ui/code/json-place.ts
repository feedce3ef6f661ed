import type { CursorPlace } from './cursor-path.ts'

interface Frame {
  kind: 'object' | 'array'
  key?: string
  index: number
  keys: Set<string>
  /** Whether a colon was read after the last key. */
  inValue: boolean
}

/** The place of a cursor in a JSON text: one pass over what stands before it, and a look at what follows. */
export function jsonPlace(text: string, offset: number): CursorPlace {
  const frames: Frame[] = []
  let i = 0
  let token = 0
  let inString = false
  while (i < offset) {
    const c = text[i]!
    if (inString) {
      if (c === '\\') i++
      else if (c === '"') {
        inString = false
        const top = frames.at(-1)
        if (top?.kind === 'object' && !top.inValue) {
          top.key = text.slice(token, i)
          top.keys.add(top.key)
        }
      }
    } else if (c === '"') {
      inString = true
      token = i + 1
    } else if (c === '{' || c === '[')
      frames.push({ kind: c === '{' ? 'object' : 'array', index: 0, keys: new Set(), inValue: false })
    else if (c === '}' || c === ']') frames.pop()
    else if (c === ':') {
      const top = frames.at(-1)
      if (top) top.inValue = true
      token = i + 1
    } else if (c === ',') {
      const top = frames.at(-1)
      if (top?.kind === 'array') top.index++
      else if (top) top.inValue = false
      token = i + 1
    }
    i++
  }
  const path = frames.flatMap((frame, at): (string | number)[] => {
    const isLast = at === frames.length - 1
    if (frame.kind === 'array') return [frame.index]
    return isLast && !frame.inValue ? [] : [frame.key ?? '']
  })
  const top = frames.at(-1)
  const start = inString ? token - 1 : offset - (/[\w.-]*$/.exec(text.slice(0, offset))?.[0].length ?? 0)
  const isKey = top?.kind === 'object' && !top.inValue
  return {
    path,
    kind: top ? (isKey ? 'key' : 'value') : 'none',
    typed: text.slice(inString ? token : start, offset),
    from: start,
    siblings: isKey
      ? new Set([...top.keys, ...keysAfter(text, inString ? text.indexOf('"', offset) + 1 || text.length : offset)])
      : new Set(),
    indent: 0,
  }
}

/** Keys of the same object that follow the cursor. */
function keysAfter(text: string, offset: number): string[] {
  const keys: string[] = []
  let depth = 0
  const scan = /"((?:[^"\\]|\\.)*)"\s*(:)?|[{}[\]]/g
  scan.lastIndex = offset
  for (let match = scan.exec(text); match && keys.length < 500; match = scan.exec(text)) {
    if (match[0] === '{' || match[0] === '[') depth++
    else if (match[0] === '}' || match[0] === ']') {
      if (depth-- === 0) break
    } else if (depth === 0 && match[2] && match[1] !== undefined) keys.push(match[1])
  }
  return keys
}
