/** One entry of a match list: exact, or with `*` at its beginning or end; `!` excludes. */
interface Entry {
  exclude: boolean
  pattern: string
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function entries(list: readonly string[]): Entry[] {
  return list
    .map((item) => decode(item.trim()))
    .filter((item) => item !== '' && item !== '!')
    .map((item) =>
      item.startsWith('!') ? { exclude: true, pattern: item.slice(1) } : { exclude: false, pattern: item },
    )
}

function fits(pattern: string, value: string): boolean {
  if (pattern === '*') return true
  const [open, close] = [pattern.startsWith('*'), pattern.length > 1 && pattern.endsWith('*')]
  const core = pattern.slice(open ? 1 : 0, close ? -1 : undefined)
  if (open && close) return value.includes(core)
  return open ? value.endsWith(core) : close ? value.startsWith(core) : value === core
}

/** An empty list matches all; a list of exclusions only matches everything not excluded. */
export function matchesList(list: readonly string[] | null | undefined, value: string | null | undefined): boolean {
  const all = entries(list ?? [])
  const given = value ?? ''
  if (all.some(({ exclude, pattern }) => exclude && fits(pattern, given))) return false
  const wanted = all.filter(({ exclude }) => !exclude)
  return wanted.length === 0 || wanted.some(({ pattern }) => fits(pattern, given))
}

const likeSafe = (text: string) => text.replace(/[\\%_]/g, '\\$&')

function like(pattern: string): string {
  if (pattern === '*') return '%'
  const [open, close] = [pattern.startsWith('*'), pattern.length > 1 && pattern.endsWith('*')]
  return `${open ? '%' : ''}${likeSafe(pattern.slice(open ? 1 : 0, close ? -1 : undefined))}${close ? '%' : ''}`
}

/** The same as a condition on a text expression; undefined when the list asks for nothing. */
export function listCondition(
  list: readonly string[] | null | undefined,
  column: string,
  param: (value: unknown) => string,
): string | undefined {
  const all = entries(list ?? [])
  const one = (chosen: Entry[], expression: string): string | undefined => {
    const exact = chosen
      .filter(({ pattern }) => !pattern.startsWith('*') && !pattern.endsWith('*'))
      .map(({ pattern }) => pattern)
    const open = chosen
      .filter(({ pattern }) => pattern.startsWith('*') || pattern.endsWith('*'))
      .map(({ pattern }) => like(pattern))
    const parts = [
      ...(exact.length > 0 ? [`${expression} = any(${param(exact)}::text[])`] : []),
      ...(open.length > 0 ? [`${expression} like any(${param(open)}::text[])`] : []),
    ]
    return parts.length > 0 ? `(${parts.join(' or ')})` : undefined
  }
  const wanted = all.filter(({ exclude }) => !exclude)
  // An index on the column serves what is wanted; what is missing counts as empty.
  const needsEmpty = wanted.some(({ pattern }) => fits(pattern, ''))
  const included = one(wanted, needsEmpty ? `coalesce(${column}, '')` : column)
  const excluded = one(
    all.filter(({ exclude }) => exclude),
    `coalesce(${column}, '')`,
  )
  const parts = [...(included ? [included] : []), ...(excluded ? [`not ${excluded}`] : [])]
  return parts.length > 0 ? parts.join(' and ') : undefined
}
