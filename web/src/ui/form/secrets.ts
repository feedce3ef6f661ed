/**
 * Values that may be secret: written as they are, or taken from a key of a secret or a config map. Connections write them
 * as text (secret://name/key), specs as an object (value, valueFrom).
 */

export type SecretSource = 'static' | 'secret' | 'configmap'

export type SecretValue =
  | { source: 'static'; value: string }
  | { source: 'secret' | 'configmap'; name: string; key: string }

export const emptySecret = (source: SecretSource): SecretValue =>
  source === 'static' ? { source, value: '' } : { source, name: '', key: '' }

const address = /^(secret|configmap):\/\/([^/]*)\/(.*)$/s

/** Reads the text form; what is no reference is the value itself. */
export function parseSecretText(text: unknown): SecretValue {
  const written = text === undefined || text === null ? '' : String(text)
  const match = address.exec(written)
  if (!match) return { source: 'static', value: written }
  return { source: match[1] as 'secret' | 'configmap', name: match[2] ?? '', key: match[3] ?? '' }
}

/** The text form; without a name and a key there is no reference, but the chosen source must survive until they are typed. */
export function formatSecretText(secret: SecretValue): string {
  return secret.source === 'static' ? secret.value : `${secret.source}://${secret.name}/${secret.key}`
}

export interface EnvVar {
  name?: string
  value?: string
  valueFrom?: {
    secretKeyRef?: { name?: string; key?: string }
    configMapKeyRef?: { name?: string; key?: string }
  }
}

/** Reads the object form of specs. */
export function parseEnvVar(input: unknown): SecretValue {
  const { value, valueFrom } = (typeof input === 'object' && input !== null ? input : { value: input }) as EnvVar
  if (valueFrom?.secretKeyRef)
    return { source: 'secret', name: valueFrom.secretKeyRef.name ?? '', key: valueFrom.secretKeyRef.key ?? '' }
  if (valueFrom?.configMapKeyRef)
    return { source: 'configmap', name: valueFrom.configMapKeyRef.name ?? '', key: valueFrom.configMapKeyRef.key ?? '' }
  return { source: 'static', value: value ?? '' }
}

export function formatEnvVar(secret: SecretValue): EnvVar | undefined {
  if (secret.source === 'static') return secret.value === '' ? undefined : { value: secret.value }
  const reference = { name: secret.name, key: secret.key }
  return { valueFrom: secret.source === 'secret' ? { secretKeyRef: reference } : { configMapKeyRef: reference } }
}

/** Whether nothing was entered: no value, or a reference without its name or key. */
export function isIncomplete(secret: SecretValue): boolean {
  return secret.source === 'static' ? secret.value === '' : secret.name.trim() === '' || secret.key.trim() === ''
}
