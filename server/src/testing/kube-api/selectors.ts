import type { KubeObject } from './store.ts'

/** `a=b,c!=d,e in (f,g),h,!i` as the API server reads it. */
export function fitsLabels(object: KubeObject, selector: string | null): boolean {
  const labels = object.metadata.labels ?? {}
  const parts = (selector ?? '').match(/(?:[^,(]|\([^)]*\))+/g) ?? []
  return parts.every((part) => {
    const text = part.trim()
    const set = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(text)
    if (set) {
      const among = set[3]!.split(',').some((value) => value.trim() === labels[set[1]!])
      return set[2] === 'in' ? among : !among
    }
    const [, key = '', operator, value] = /^(!?[^=!]+?)\s*(?:(==?|!=)\s*(.*))?$/.exec(text) ?? []
    if (!operator) return key.startsWith('!') ? !(key.slice(1) in labels) : key in labels
    return operator === '!=' ? labels[key] !== value : labels[key] === value
  })
}

const podFields = ['spec.nodeName', 'status.phase']

/** Every kind has name and namespace, few have more; undefined when the field is not supported. */
export function fitsFields(object: KubeObject, kind: string, selector: string | null): boolean | undefined {
  for (const part of (selector ?? '').split(',').filter(Boolean)) {
    const [, field = '', operator, value] = /^([^=!]+)(==?|!=)(.*)$/.exec(part) ?? []
    const isKnown = /^metadata\.(name|namespace)$/.test(field) || (kind === 'Pod' && podFields.includes(field))
    if (!isKnown) return undefined
    const found = field
      .split('.')
      .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], object)
    const isSame = (found ?? '') === value
    if (operator === '!=' ? isSame : !isSame) return false
  }
  return true
}
