/**
 * Values that may be secret: written as they are, or taken from elsewhere: a key of a secret or a config map, a file, a
 * variable. Connections write them as text (secret://name/key), specs as an object (value, valueFrom).
 */

type Keyed = 'secret' | 'configmap' | 'helm'
type Named = 'serviceaccount' | 'env' | 'file'
export type SecretSource = 'static' | Keyed | Named

export type SecretValue =
  | { source: 'static'; value: string }
  | { source: Keyed; name: string; key: string }
  | { source: Named; name: string }

const isNamed = (source: SecretSource): source is Named => ['serviceaccount', 'env', 'file'].includes(source)

export const emptySecret = (source: SecretSource): SecretValue => {
  if (source === 'static') return { source, value: '' }
  return isNamed(source) ? { source, name: '' } : { source, name: '', key: '' }
}

const keyed = /^(secret|configmap|helm):\/\/([^/]*)\/(.*)$/s
const named = /^(serviceaccount|env|file):\/\/(.*)$/s

/** Reads the text form; what is no reference is the value itself. */
export function parseSecretText(text: unknown): SecretValue {
  const written = text === undefined || text === null ? '' : String(text)
  const pair = keyed.exec(written)
  if (pair) return { source: pair[1] as Keyed, name: pair[2] ?? '', key: pair[3] ?? '' }
  const single = named.exec(written)
  return single ? { source: single[1] as Named, name: single[2] ?? '' } : { source: 'static', value: written }
}

/** The text form; without a name and a key there is no reference, but the chosen source must survive until they are typed. */
export function formatSecretText(secret: SecretValue): string {
  if (secret.source === 'static') return secret.value
  return 'key' in secret ? `${secret.source}://${secret.name}/${secret.key}` : `${secret.source}://${secret.name}`
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
export function parseEnvVar(input: unknown): Exclude<SecretValue, { source: Named }> {
  const { value, valueFrom } = (typeof input === 'object' && input !== null ? input : { value: input }) as EnvVar
  if (valueFrom?.secretKeyRef)
    return { source: 'secret', name: valueFrom.secretKeyRef.name ?? '', key: valueFrom.secretKeyRef.key ?? '' }
  if (valueFrom?.configMapKeyRef)
    return { source: 'configmap', name: valueFrom.configMapKeyRef.name ?? '', key: valueFrom.configMapKeyRef.key ?? '' }
  return { source: 'static', value: value ?? '' }
}

export function formatEnvVar(secret: SecretValue): EnvVar | undefined {
  if (secret.source === 'static') return secret.value === '' ? undefined : { value: secret.value }
  const reference = { name: secret.name, key: 'key' in secret ? secret.key : '' }
  return { valueFrom: secret.source === 'secret' ? { secretKeyRef: reference } : { configMapKeyRef: reference } }
}

/** Whether nothing was entered: no value, or a reference without its name or key. */
export function isIncomplete(secret: SecretValue): boolean {
  if (secret.source === 'static') return secret.value === ''
  return secret.name.trim() === '' || ('key' in secret && secret.key.trim() === '')
}

/** Why a reference cannot be one, in words for who types it; the server would take it for the value itself. */
export function referenceFault(secret: SecretValue): string | undefined {
  switch (secret.source) {
    case 'static':
      return undefined
    case 'env':
      return /^[A-Za-z_]\w*$/.test(secret.name) ? undefined : 'A variable has letters, digits and _ only'
    case 'file':
      return secret.name.startsWith('/') ? undefined : 'The whole path is needed, from the first /'
    default:
      return secret.name.includes('/') || ('key' in secret && secret.key.includes('/'))
        ? 'A slash is not possible here'
        : undefined
  }
}
