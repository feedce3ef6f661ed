/**
 * Filters that include or exclude values. In an address they are a comma list of `value:1` and `value:-1`; towards the
 * server they are a comma list in which an excluded value starts with `!`.
 */

/** Include or exclude; a value that is neither is simply absent. */
export type Sign = 1 | -1
/** Chosen values with their sign, in the order in which they were chosen. Tags are keyed `key:value`. */
export type TriState = Record<string, Sign>

/** How values are written between the separators: `value` for anything, `type` for names such as Kubernetes::Pod. */
export type ValueEncoding = 'value' | 'type'

function encodeValue(value: string, encoding: ValueEncoding) {
  const noCommas = value.replaceAll(',', '||||')
  return (encoding === 'type' ? noCommas.replaceAll('::', '__') : noCommas).replaceAll(':', '____')
}

function decodeValue(text: string, encoding: ValueEncoding) {
  const colons = text.replaceAll('____', ':').replaceAll('||||', ',')
  return encoding === 'type' ? colons.replaceAll('__', '::') : colons
}

/** Writes a tri-state filter for the page address: `{Running: -1}` → `Running:-1`. */
export function encodeTriState(value: TriState, encoding: ValueEncoding = 'value'): string {
  return Object.entries(value)
    .map(([name, sign]) => `${encodeValue(name, encoding)}:${sign}`)
    .join(',')
}

/** Reads what `encodeTriState` wrote. A missing sign means include; entries with sign 0 or without a name are dropped. */
export function decodeTriState(text: string | null | undefined, encoding: ValueEncoding = 'value'): TriState {
  const result: [string, Sign][] = []
  for (const item of (text ?? '').split(',')) {
    const match = /^(.*):(-1|0|1)$/s.exec(item)
    const name = decodeValue(match?.[1] ?? item, encoding)
    if (name === '' || match?.[2] === '0') continue
    result.push([name, match?.[2] === '-1' ? -1 : 1])
  }
  // Object.fromEntries defines properties, so a value named __proto__ stays an ordinary entry.
  return Object.fromEntries(result)
}

/** The decoded form that requests carry: included values as they are, excluded ones with a leading `!`. */
export function triStateList(value: TriState): string {
  return Object.entries(value)
    .map(([name, sign]) => (sign === -1 ? `!${name}` : name))
    .join(',')
}

/** Which values share one sign: all of a control, or for tags those with the same key. */
export type SignGroup = (name: string) => string
export const oneGroup: SignGroup = () => ''
/** Tags are `key:value`; including eu and excluding us of the same key makes no sense, of different keys it does. */
export const byTagKey: SignGroup = (name) => splitTag(name)[0]

/**
 * Sets one value. Choosing the sign it already has removes it; choosing a sign drops entries of the other sign in the
 * same group, because a control cannot include and exclude at once.
 */
export function toggleTriState(value: TriState, name: string, sign: Sign, group: SignGroup = oneGroup): TriState {
  const rest = Object.entries(value).filter(
    ([other, s]) => other !== name && (s === sign || group(other) !== group(name)),
  )
  return Object.fromEntries(value[name] === sign ? rest : [...rest, [name, sign]])
}

/** `region:eu` → ['region', 'eu']; only the first colon separates, keys hold none. */
export function splitTag(tag: string): [key: string, value: string] {
  const at = tag.indexOf(':')
  return at < 0 ? [tag, ''] : [tag.slice(0, at), tag.slice(at + 1)]
}

/** Tags as one selector: `{region:eu, region:us, !env:dev}` → `region in (eu,us),env!=dev`. */
export function tagSelector(value: TriState): string {
  const byKey = new Map<string, { sign: Sign; values: string[] }>()
  for (const [tag, sign] of Object.entries(value)) {
    const [key, item] = splitTag(tag)
    const entry = byKey.get(key)
    if (entry) entry.values.push(item)
    else byKey.set(key, { sign, values: [item] })
  }
  return [...byKey]
    .map(([key, { sign, values }]) => {
      if (values.length === 1) return `${key}${sign === -1 ? '!=' : '='}${values[0]}`
      return `${key} ${sign === -1 ? 'notin' : 'in'} (${values.join(',')})`
    })
    .join(',')
}
