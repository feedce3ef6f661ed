import { isReference as isValueReference } from '@quarterdeck/contract/connections/address'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { isSecretText } from '../connections/seal.ts'
import { isSecretAddress } from '../connections/secret-address.ts'
import { type Columns, DocumentProblem, type KindStore } from './kinds/kind-store.ts'

const secretKey =
  /^(password|passwd|secret|token|api[-_]?key|access[-_]?key|secret[-_]?key|client[-_]?secret|private[-_]?key|bearer|certificate)$/i

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same value with every sealed text opened. A text sealed by another installation cannot be opened here. */
export function unseal(secrets: Secrets, value: unknown, path: readonly PropertyKey[] = ['spec']): unknown {
  if (typeof value === 'string') {
    if (!secrets.isEncrypted(value)) return value
    try {
      return secrets.decrypt(value)
    } catch {
      throw new DocumentProblem(
        'this value was sealed with another key; write the value itself, or a reference to it',
        path,
      )
    }
  }
  if (Array.isArray(value)) return value.map((each, at) => unseal(secrets, each, [...path, at]))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unseal(secrets, each, [...path, key])]))
}

/** The same value with every text sealed that is a secret by its name or holds one, so that a file never shows it. */
export function seal(secrets: Secrets, value: unknown, secret = false): unknown {
  if (typeof value === 'string') {
    const hide = secret ? value !== '' && !isReference(value) : isSecretAddress(value)
    return hide && !secrets.isEncrypted(value) ? secrets.encrypt(value) : value
  }
  if (Array.isArray(value)) return value.map((each) => seal(secrets, each, secret))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      // `password: {value: x}` is a secret as much as `password: x`; where it comes from (valueFrom) is none.
      const hidden = secret ? key === 'value' : secretKey.test(key)
      return [key, seal(secrets, each, hidden)]
    }),
  )
}

const isReference = (text: string) =>
  isValueReference(text) || text.startsWith('connection://') || /^\$\(.*\)$/.test(text)

/** A row's columns with their secrets readable, to compare them. One that cannot be read is different from anything. */
export function openColumns(secrets: Secrets, store: KindStore, row: Columns): Columns {
  const open = (value: unknown): unknown => {
    if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, open(each)]))
    if (typeof value !== 'string' || !secrets.isEncrypted(value)) return value
    try {
      return secrets.decrypt(value)
    } catch {
      return { unreadable: value }
    }
  }
  const opened = { ...row }
  for (const column of store.secrets ?? []) if (column in row) opened[column] = open(row[column])
  return opened
}

/** The columns as they are stored. */
export function closeColumns(secrets: Secrets, store: KindStore, columns: Columns): Columns {
  const type = typeof columns.type === 'string' ? columns.type : undefined
  const close = (place: string, value: unknown): unknown => {
    if (isObject(value))
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, close(`${place}.${key}`, each)]))
    return typeof value === 'string' && isSecretText(place, value, type) ? secrets.encrypt(value) : value
  }
  const closed = { ...columns }
  for (const column of store.secrets ?? []) if (column in columns) closed[column] = close(column, columns[column])
  return closed
}
