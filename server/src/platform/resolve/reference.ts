/** Where a value comes from when it is not written down: the object form and the text form mean the same. */
export type Reference =
  | { from: 'secret'; name: string; key: string }
  | { from: 'configmap'; name: string; key: string }
  | { from: 'helm'; name: string; key: string }
  | { from: 'serviceaccount'; name: string }
  | { from: 'file'; path: string }
  | { from: 'env'; name: string }

interface KeyRef {
  name: string
  key: string
}

/** `{name, value}` or `{name, valueFrom}`, or just the text. */
export type EnvVar =
  | string
  | {
      name?: string
      value?: string
      valueFrom?: { secretKeyRef?: KeyRef; configMapKeyRef?: KeyRef; helmRef?: KeyRef; serviceAccount?: string }
    }

/** Reads `secret://name/key` and its kin. Anything with another number of segments is a literal, as documents rely on. */
export function readReference(text: string): Reference | undefined {
  const found = /^(secret|configmap|helm|serviceaccount|env|file):\/\/(.*)$/s.exec(text)
  if (!found) return undefined
  const scheme = found[1]!
  const rest = found[2]!
  const segments = rest.split('/')
  switch (scheme) {
    case 'secret':
    case 'configmap':
    case 'helm':
      if (segments.length !== 2 || segments.includes('')) return undefined
      return { from: scheme, name: segments[0]!, key: segments[1]! }
    case 'serviceaccount':
      return segments.length === 1 && rest !== '' ? { from: 'serviceaccount', name: rest } : undefined
    case 'env':
      return /^[A-Za-z_]\w*$/.test(rest) ? { from: 'env', name: rest } : undefined
    default:
      return rest.startsWith('/') && !rest.includes('\0') ? { from: 'file', path: rest } : undefined
  }
}

/** The reference a value is, or undefined when it stands for itself. */
export function referenceOf(value: EnvVar): Reference | undefined {
  if (typeof value === 'string') return readReference(value)
  const { secretKeyRef, configMapKeyRef, helmRef, serviceAccount } = value.valueFrom ?? {}
  if (secretKeyRef) return { from: 'secret', name: secretKeyRef.name, key: secretKeyRef.key }
  if (configMapKeyRef) return { from: 'configmap', name: configMapKeyRef.name, key: configMapKeyRef.key }
  if (helmRef) return { from: 'helm', name: helmRef.name, key: helmRef.key }
  if (serviceAccount) return { from: 'serviceaccount', name: serviceAccount }
  return value.value === undefined ? undefined : readReference(value.value)
}

export const showReference = (reference: Reference): string => {
  switch (reference.from) {
    case 'serviceaccount':
    case 'env':
      return `${reference.from}://${reference.name}`
    case 'file':
      return `file://${reference.path}`
    default:
      return `${reference.from}://${reference.name}/${reference.key}`
  }
}

/** A reference that leads nowhere, or a connection that is not there: words for the person who wrote it, never the value. */
export class ResolveError extends Error {
  override name = 'ResolveError'
}
