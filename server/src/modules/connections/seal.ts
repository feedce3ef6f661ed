import { hiddenValue, isReference } from '@quarterdeck/contract/connections/address'
import { secretPlaces } from '@quarterdeck/contract/connections/form'
import { connectionKind } from '@quarterdeck/contract/connections/index'
import type { Place } from '@quarterdeck/contract/connections/kind'
import type { Secrets } from '../../platform/secrets/secrets.ts'

/** An address with a password inside; `$(password)` stands for the column and gives nothing away. */
const holdsPassword = (text: string): boolean =>
  /^[a-z0-9+.-]+:\/\/(?!\$\()[^/@\s]*@/i.test(text) &&
  !/^[a-z0-9+.-]+:\/\/(?:[^/@:\s]*|\$\(username\)):?(?:\$\(password\))?@/i.test(text)

const tellingName =
  /^(password|passwd|secret|token|bearer|api[-_]?key|secret[-_]?key|client[-_]?secret|private[-_]?key|session[-_]?token)$/i

/** Whether a text at this place of a connection is something nobody should read. */
export function isSecretText(place: string, text: string, type?: string): boolean {
  if (text === '' || isReference(text)) return false
  if (secretPlaces(type === undefined ? undefined : connectionKind(type)).has(place as Place)) return true
  if (place === 'url') return holdsPassword(text)
  return place.startsWith('properties.') && tellingName.test(place.slice('properties.'.length))
}

type Stored = Record<string, unknown>
const columns = ['url', 'username', 'password', 'certificate'] as const

/** The same row with its secrets encrypted, as it is stored. */
export function sealRow<Row extends Stored>(secrets: Secrets, row: Row, type: string | undefined): Row {
  const seal = (place: string, value: unknown) =>
    typeof value === 'string' && isSecretText(place, value, type) && !secrets.isEncrypted(value)
      ? secrets.encrypt(value)
      : value
  const sealed: Stored = { ...row }
  for (const column of columns) if (column in row) sealed[column] = seal(column, row[column])
  const { properties } = row
  if (typeof properties === 'object' && properties !== null)
    sealed.properties = Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, seal(`properties.${key}`, value)]),
    )
  return sealed as Row
}

export const hiddenColumns = (row: Stored): string[] => columns.filter((column) => row[column] === hiddenValue)
